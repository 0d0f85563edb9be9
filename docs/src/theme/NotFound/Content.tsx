import Link from '@docusaurus/Link';
import { PageMetadata } from '@docusaurus/theme-common';
import type { Props } from '@theme/NotFound/Content';
import type { ReactNode } from 'react';
import { repository } from '../../../package.json';

const links = [
  ['/docs/user-guide/installation', 'Install Hearth'],
  ['/docs/user-guide', 'User guide'],
  ['/docs/dev-guide', 'Developer guide'],
  ['/api/', 'API'],
  [`${repository}/issues`, 'Report a broken link'],
] as const;

/** Not-found page, also of paths under `/docs`. */
export default function NotFound({ className = '' }: Props): ReactNode {
  return (
    <main className={`container margin-vert--xl notFound ${className}`}>
      <PageMetadata title="Page not found" />
      <h1>Page not found</h1>
      <p>This page does not exist, or it has moved. Search the documentation:</p>
      <form action="/search" role="search">
        <input type="search" name="q" aria-label="Search the documentation" required />
        <button type="submit" className="button button--primary">
          Search
        </button>
      </form>
      <p>Or start here:</p>
      <ul>
        {links.map(([to, label]) => (
          <li key={to}>
            {/* A test checks these links, which small sites for tests of builds lack. */}
            <Link to={to} data-noBrokenLinkCheck>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}
