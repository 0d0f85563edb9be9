import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { test } from 'node:test';
import { misbehaveAll } from '@hearth/testkit/proxies/brokenClients.ts';
import { clearGauge, metrics, getRegistry, serveMetrics } from './metrics.ts';

/** Starts a server on a free port. */
const listen = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
};

const makeOptions = (port: number) => ({
  port,
  host: '127.0.0.1',
  process: 'api' as const,
  checkBackEnds: async () => ({ database: true, queue: false, objects: true }),
});

test('serves no metrics on port 0', async () => {
  assert.equal(await serveMetrics(makeOptions(0)), undefined);
});

test('serves metrics as text at /metrics only, including those of the process', async () => {
  metrics.uploadedBytes.inc(4_096);
  metrics.runSeconds.observe({ component: 'METADATA' }, 0.2);
  const free = await listen();
  free.server.close();
  await once(free.server, 'close');
  const server = await serveMetrics(makeOptions(free.port));
  assert(server !== undefined);
  const response = await fetch(`http://127.0.0.1:${free.port}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  assert.match(text, /^hearth_uploaded_bytes_total 4096$/m);
  assert.match(text, /^hearth_back_end_up\{back_end="queue"\} 0$/m);
  assert.doesNotMatch(text, /hearth_component_run/, 'the API runs no components');
  assert.match(text, /^process_cpu_seconds_total /m);
  for (const path of ['/', '/metrics/', '/v1/mediaItems']) {
    const other = await fetch(`http://127.0.0.1:${free.port}${path}`);
    assert.deepEqual([other.status, await other.text()], [404, ''], path);
  }
  server.close();
});

test('rejects a port that is in use', async () => {
  const taken = await listen();
  const source = `
    import { serveMetrics } from ${JSON.stringify(new URL('metrics.ts', import.meta.url).href)};
    const options = { port: ${taken.port}, host: '127.0.0.1', process: 'api' };
    await serveMetrics(options).catch(({ code }) => console.log(code));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  assert.equal(stdout, 'EADDRINUSE\n');
  taken.server.close();
});

test('exports component runs from a worker, and no API metrics', async () => {
  metrics.runSeconds.observe({ component: 'METADATA' }, 0.2);
  const text = await getRegistry('worker').metrics();
  assert.match(text, /^hearth_component_run_duration_seconds_bucket\{le="0\.25",component="METADATA"\} 2$/m);
  assert.doesNotMatch(text, /hearth_(?:http|uploaded|housekeep|orphan)/);
});

/** Returns the series of two gauges, one of them without labels. */
const series = async (): Promise<string[]> =>
  (await getRegistry('api').metrics()).split('\n').filter((line) => /^hearth_(?:orphans|queue_depth)/.test(line));

test('removes the series of a cleared gauge until it is set again', async () => {
  metrics.orphans.set(3);
  metrics.queueDepth.set({ pool: 'media' }, 7);
  assert.deepEqual((await series()).toSorted(), ['hearth_orphans 3', 'hearth_queue_depth{pool="media"} 7']);
  for (const gauge of [metrics.orphans, metrics.queueDepth]) clearGauge(gauge);
  assert.deepEqual(await series(), []);
  metrics.orphans.set(1);
  assert.deepEqual(await series(), ['hearth_orphans 1']);
});

test('keeps serving after clients that violate HTTP', async () => {
  const { server: free, port } = await listen();
  free.close();
  await once(free, 'close');
  const server = await serveMetrics(makeOptions(port));
  assert(server !== undefined);
  await misbehaveAll(
    server,
    ['/metrics', '/livez', '/'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`),
  );
  for (const path of ['/metrics', '/livez']) assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, 200);
  server.close();
});
