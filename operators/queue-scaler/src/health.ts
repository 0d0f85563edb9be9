import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Metrics } from './metrics.ts';

/** Checks behind the probes. Each returns undefined when healthy, else a description of the problem. */
export interface Probes {
  readonly livez: () => string | undefined;
  readonly readyz: () => string | undefined;
}

/**
 * Serves `/metrics`, `/livez` and `/readyz` on every replica.
 * @throws the listen error, such as EADDRINUSE
 */
export const serveHealth = async (
  { host, port }: { readonly host: string; readonly port: number },
  metrics: Metrics,
  probes: Probes,
): Promise<Server> => {
  const server = createServer((req, res) => {
    const respond = (status: number, contentType: string, text: string): void =>
      void res.writeHead(status, { 'Content-Type': contentType }).end(text);
    const respondToProbe = (problem: string | undefined): void =>
      respond(problem === undefined ? 200 : 503, 'text/plain', `${problem ?? 'ok'}\n`);
    if (req.url === '/metrics')
      metrics.expose().then(
        ({ contentType, text }) => respond(200, contentType, text),
        () => respond(500, 'text/plain', 'could not collect the metrics\n'),
      );
    else if (req.url === '/livez') respondToProbe(probes.livez());
    else if (req.url === '/readyz') respondToProbe(probes.readyz());
    else respond(404, 'text/plain', 'not found; available: /metrics, /livez, /readyz\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server.unref();
};
