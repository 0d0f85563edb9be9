import { useLocation } from '@docusaurus/router';
import Layout from '@theme-original/Layout';
import type { Props } from '@theme/Layout';
import type { ReactNode } from 'react';

/** Layout of every page. Adds the main landmark for screen readers that the search plugin's page lacks. */
export default function PageLayout({ children, ...props }: Props): ReactNode {
  const { pathname } = useLocation();
  return <Layout {...props}>{/^\/search\/?$/.test(pathname) ? <main>{children}</main> : children}</Layout>;
}
