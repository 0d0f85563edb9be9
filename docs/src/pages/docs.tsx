import { Redirect } from '@docusaurus/router';
import type { ReactNode } from 'react';

/** The root of the documentation opens its first page. */
export default function DocsRoot(): ReactNode {
  return <Redirect to="/docs/user-guide/introduction" />;
}
