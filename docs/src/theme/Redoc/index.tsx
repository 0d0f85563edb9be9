import BrowserOnly from '@docusaurus/BrowserOnly';
import Redoc from '@theme-original/Redoc';
import type { ReactNode } from 'react';

/** As much of an OpenAPI document as the page without Redoc shows. */
interface Document {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary?: string }>>>>;
}

interface Props {
  readonly spec: Document;
}

/**
 * Redoc is drawn by the browser alone: what it draws when the site is built, 1.4 MB with styles, React does not find again in the browser. Until then, and
 * for who has no JavaScript, there is a list of the routes.
 */
export default function RedocInBrowser(props: Props): ReactNode {
  return <BrowserOnly fallback={<Routes {...props} />}>{() => <Redoc {...props} />}</BrowserOnly>;
}

const Routes = ({ spec: { info, paths } }: Props): ReactNode => (
  <main className="container margin-vert--lg">
    <h1>
      {info.title} ({info.version})
    </h1>
    <ul>
      {Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { summary }]) => (
          <li key={`${method} ${path}`}>
            <code>
              {method.toUpperCase()} {path}
            </code>{' '}
            {summary}
          </li>
        )),
      )}
    </ul>
  </main>
);
