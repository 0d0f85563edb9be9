import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { misbehaveAll } from '@hearth/testkit/proxies/brokenClients.ts';
import { serveHealth } from './health.ts';
import { createMetrics } from './metrics.ts';

test('keeps serving after clients that violate HTTP', async () => {
  const probes = { livez: () => undefined, readyz: () => undefined };
  const server = await serveHealth({ host: '127.0.0.1', port: 0 }, createMetrics(), probes);
  const paths = ['/metrics', '/livez', '/readyz'];
  await misbehaveAll(
    server,
    paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`),
  );
  const { port } = server.address() as AddressInfo;
  for (const path of paths) assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200);
  server.close();
});
