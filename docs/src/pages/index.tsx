import Link from '@docusaurus/Link';
import CodeBlock from '@theme/CodeBlock';
import Layout from '@theme/Layout';
import type { ReactNode } from 'react';
import { repository } from '../../package.json';
import { AppPicture } from '../components/home/AppPicture';
import { features, missing, trust } from '../components/home/contents';
import { FeatureRow } from '../components/home/FeatureRow';
import styles from '../components/home/home.module.css';
import { pictures } from '../components/home/pictures';

const install = `git clone ${repository}.git
cd hearth
npm start`;

const description =
  'Hearth is a self-hosted photo and video library for families. It runs on one machine with one command, or on a home Kubernetes cluster.';

export default function Home(): ReactNode {
  return (
    <Layout description={description}>
      <main className={styles.home}>
        <header className={styles.hero}>
          <div>
            <h1>A smarter home for all your photos and videos</h1>
            <p className={styles.lead}>
              Hearth is a photo library that you run yourself. It sorts your photos by date and place, recognizes people
              and things, and finds what you describe. Everything runs on your own machine.
            </p>
            <nav className={styles.buttons} aria-label="First steps">
              <Link className="button button--primary button--lg" to="/docs/user-guide/installation">
                Install Hearth
              </Link>
              <Link className="button button--outline button--primary button--lg" to="/docs/user-guide/introduction">
                User guide
              </Link>
            </nav>
            <p className={styles.facts}>
              Free and open source (Apache-2.0). Version 0.1.0 is not released yet.{' '}
              <a href="#status">What works today</a>
            </p>
          </div>
          <div className={styles.install}>
            <CodeBlock language="bash" title="Install on Linux">
              {install}
            </CodeBlock>
            <p>
              You need git, Node.js 20 or newer, and 2 GB of free memory. You do not need Docker. For Kubernetes, there
              is a <Link to="/docs/user-guide/deployment">Helm chart</Link>.
            </p>
          </div>
        </header>

        <AppPicture
          picture={pictures.timeline}
          alt="The timeline of Hearth: photos of mountains, a cat, a bee and castles, by day and town, with the years at the side"
        />

        <section aria-labelledby="who">
          <h2 id="who">Who it is for</h2>
          <p>
            Hearth is for families who want to keep their photos at home. One person runs it, on a Linux machine or a
            home Kubernetes cluster. Everyone gets an account with a private library. The app runs in any current
            browser, in English and German.
          </p>
        </section>

        <section aria-labelledby="trust">
          <h2 id="trust">Built to keep your photos safe</h2>
          <ul className={styles.cards}>
            {trust.map(({ title, text }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>

        {features.map((feature, index) => (
          <FeatureRow key={feature.id} {...feature} isReversed={index % 2 === 1} />
        ))}

        <section aria-labelledby="status">
          <h2 id="status">Status</h2>
          <p>
            Hearth is new: version 0.1.0 is not released yet. Keep a second copy of your photos. The features above work
            today.
          </p>
          <h3>What is missing</h3>
          <ul>
            {missing.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>
            The <Link to="/docs/user-guide/faq">FAQ</Link> says what to do meanwhile, and the{' '}
            <Link to="/docs/dev-guide/roadmap">roadmap</Link> lists what comes next.
          </p>
        </section>

        <section aria-labelledby="comparison">
          <h2 id="comparison">Comparison</h2>
          <p>
            Immich and Ente have phone apps with backup, and PhotoPrism leaves your photos in your own folders. Hearth
            starts without Docker, scales on Kubernetes, and is tested against crashes. The{' '}
            <Link to="/docs/user-guide/comparison">comparison</Link> of all four, with facts of 26 November 2026, says
            when to choose another library.
          </p>
        </section>

        <section aria-labelledby="more">
          <h2 id="more">Read on</h2>
          <ul className={styles.links}>
            <li>
              <Link to="/docs/user-guide/installation">Install it on one machine</Link> or{' '}
              <Link to="/docs/user-guide/deployment">on a cluster</Link>
            </li>
            <li>
              <Link to="/docs/user-guide/backup">Back up your library</Link>
            </li>
            <li>
              <Link to="/api/">Use the API</Link>
            </li>
            <li>
              <Link to="/docs/dev-guide/introduction">Understand the code</Link>
            </li>
          </ul>
        </section>

        <p className={styles.credits}>
          The pictures show the app with public-domain photos, and with five photos by Aitzol Berasategi (
          <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>, scaled down). Dates are made up.{' '}
          <Link href={`${repository}/blob/main/services/testkit/src/pictures/familyPhotos/README.md`}>All authors</Link>
        </p>
      </main>
    </Layout>
  );
}
