import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cluster } from './cluster.ts';
import type { Pod } from './pods.ts';
import type { Release } from './release.ts';

/**
 * Service discovery for Prometheus over HTTP (https://prometheus.io/docs/prometheus/latest/http_sd/). Debian's
 * Prometheus is built without Kubernetes support.
 */
export interface ScrapeTargets extends AsyncDisposable {
  readonly url: string;
}

/**
 * Lists every running pod of a release with a `metrics` port, labelled as by the chart's ServiceMonitor and PodMonitor.
 * Scrapes go through the API server, because pods of some clusters are not reachable from outside.
 */
export const serveTargets = async ({ url }: Cluster, release: Release): Promise<ScrapeTargets> => {
  const { host } = new URL(url);
  const listTargets = ({ metadata: { name, labels }, spec, status }: Pod): object[] => {
    const port = spec.containers.flatMap(({ ports = [] }) => ports).find((each) => each.name === 'metrics');
    if (port === undefined || status.phase !== 'Running') return [];
    const pool = labels['hearth.photos/pool'];
    const own = {
      __metrics_path__: `/api/v1/namespaces/${release.namespace}/pods/${name}:${port.containerPort}/proxy/metrics`,
      namespace: release.namespace,
      pod: name,
      app_kubernetes_io_name: labels['app.kubernetes.io/name'],
      app_kubernetes_io_component: labels['app.kubernetes.io/component'],
      ...(pool !== undefined && { hearth_photos_pool: pool }),
    };
    return [{ targets: [host], labels: own }];
  };
  const server = createServer((_, response) => {
    const listing = release.pods().then((pods) => JSON.stringify(pods.flatMap(listTargets)));
    listing
      .then((list) => response.setHeader('Content-Type', 'application/json').end(list))
      .catch(() => response.writeHead(503).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
