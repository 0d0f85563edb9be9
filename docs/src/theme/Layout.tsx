import { useLocation } from '@docusaurus/router';
import Layout from '@theme-original/Layout';
import type { Props } from '@theme/Layout';
import type { ReactNode } from 'react';

/** What is around every page. The package of the search gives its page no landmark, so that readers of a screen would have nothing to jump to. */
export default function PageLayout({ children, ...props }: Props): ReactNode {
  const { pathname } = useLocation();
  return <Layout {...props}>{/^\/search\/?$/.test(pathname) ? <main>{children}</main> : children}</Layout>;
}
