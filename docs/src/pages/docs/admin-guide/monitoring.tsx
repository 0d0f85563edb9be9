import { Redirect } from '@docusaurus/router';
import type { ReactNode } from 'react';

/** The former address of the page on monitoring. */
export default function Monitoring(): ReactNode {
  return <Redirect to="/docs/user-guide/monitoring" />;
}
