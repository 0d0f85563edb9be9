import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { test } from 'node:test';
import { metrics, serveMetrics } from './metrics.ts';

/** A server on a free port, and that port. */
const listen = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
};

test('port 0 serves no metrics', async () => {
  assert.equal(await serveMetrics(0, '127.0.0.1'), undefined);
});

test('metrics are served as text under /metrics and nowhere else, with those of the process', async () => {
  metrics.uploadedBytes.inc(4_096);
  metrics.runSeconds.observe({ component: 'METADATA', outcome: 'DONE' }, 0.2);
  const free = await listen();
  free.server.close();
  await once(free.server, 'close');
  const server = await serveMetrics(free.port, '127.0.0.1');
  assert(server !== undefined);
  const answer = await fetch(`http://127.0.0.1:${free.port}/metrics`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  assert.match(text, /^hearth_uploaded_bytes_total 4096$/m);
  assert.match(text, /^hearth_component_run_seconds_bucket\{le="0\.25",component="METADATA",outcome="DONE"\} 1$/m);
  assert.match(text, /^process_cpu_seconds_total /m);
  for (const path of ['/', '/metrics/', '/v1/mediaItems']) {
    const other = await fetch(`http://127.0.0.1:${free.port}${path}`);
    assert.deepEqual([other.status, await other.text()], [404, ''], path);
  }
  server.close();
});

test('a port that is taken is an error', async () => {
  const taken = await listen();
  const source = `
    import { serveMetrics } from ${JSON.stringify(new URL('metrics.ts', import.meta.url).href)};
    await serveMetrics(${taken.port}, '127.0.0.1').catch(({ code }) => console.log(code));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  assert.equal(stdout, 'EADDRINUSE\n');
  taken.server.close();
});
