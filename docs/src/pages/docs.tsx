import { Redirect } from '@docusaurus/router';
import type { ReactNode } from 'react';

/** Redirects the root of the documentation to its first page. */
export default function DocsRoot(): ReactNode {
  return <Redirect to="/docs/user-guide/introduction" />;
}
