import http from 'k6/http';
import { describe } from './request.ts';
import { settings } from './settings.ts';

/** The Deployment fields that are read. */
interface Deployment {
  readonly status?: { readonly readyReplicas?: number };
}

/** True if the run can query the cluster. */
export const canCountWorkers = settings.kubernetesUrl !== undefined && settings.kubernetesUrl !== '';

/** Returns the number of ready workers of all pools. @throws if the cluster query fails */
export const countWorkers = (): number => {
  const path = `/apis/apps/v1/namespaces/${settings.namespace}/deployments`;
  const selector = encodeURIComponent('app.kubernetes.io/component=worker');
  const response = http.get(`${settings.kubernetesUrl}${path}?labelSelector=${selector}`, {
    tags: { name: 'deployments' },
  });
  if (response.status !== 200) throw new Error(describe(response));
  const { items } = response.json() as unknown as { readonly items: readonly Deployment[] };
  if (items.length === 0) throw new Error(`no worker Deployments in namespace ${settings.namespace}`);
  return items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
};
