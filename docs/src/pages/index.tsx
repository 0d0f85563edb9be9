import Link from '@docusaurus/Link';
import Layout from '@theme/Layout';
import ThemedImage from '@theme/ThemedImage';
import type { ReactNode } from 'react';
import dark from '../../docs/images/guide/timeline-dark.webp';
import light from '../../docs/images/guide/timeline-light.webp';

export default function Home(): ReactNode {
  return (
    <Layout description="Hearth is a library for a family’s photos and videos that you run yourself.">
      <main className="home">
        <h1>A smarter home for all your photos and videos</h1>
        <p>
          Hearth is a library for a family’s photos and videos that you run yourself. Photos go in; they come out
          upright, described, dated and placed, and they are never lost. It runs on one machine by one command, and on a
          Kubernetes cluster by another.
        </p>
        <nav className="homeLinks" aria-label="Where to begin">
          <Link className="button button--primary button--lg" to="/docs/user-guide/installation">
            Install it
          </Link>
          <Link className="button button--secondary button--lg" to="/docs/user-guide/introduction">
            What it does
          </Link>
          <Link className="button button--secondary button--lg" to="/docs/dev-guide/introduction">
            How it is made
          </Link>
          <Link className="button button--secondary button--lg" to="/api/">
            Its API
          </Link>
        </nav>
        <ThemedImage
          sources={{ light, dark }}
          className="guidePicture"
          loading="lazy"
          width="1280"
          height="800"
          alt="The timeline: photos by day and place, with a scrubber for the years"
        />
      </main>
    </Layout>
  );
}
