import { join } from 'node:path';
import { createSiteServer } from './siteServer.ts';

/*
 * Serves the documentation site in its image: HEARTH_SITE_DIR (default docs/build) on HEARTH_HOST (default 127.0.0.1) and HEARTH_PORT (default 8080).
 * With HEARTH_API_URL, such as http://127.0.0.1:5001, readers of the API reference can send requests to that Hearth.
 * On SIGTERM or SIGINT, finishes open requests and exits.
 */
if (process.argv.includes('--help')) {
  process.stdout.write(
    'Serves the built documentation site. Variables: HEARTH_SITE_DIR, HEARTH_HOST, HEARTH_PORT, HEARTH_API_URL.\n',
  );
  process.exit(0);
}
// oxlint-disable-next-line node/no-process-env -- this is the process that is configured, and it has four variables
const env = process.env;
const server = createSiteServer(
  env['HEARTH_SITE_DIR'] ?? join(import.meta.dirname, '../build'),
  env['HEARTH_API_URL'] || undefined,
);
const port = Number(env['HEARTH_PORT'] ?? 8080);
const host = env['HEARTH_HOST'] ?? '127.0.0.1';
server.listen(port, host, () => process.stdout.write(`The documentation is at http://${host}:${port}\n`));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
