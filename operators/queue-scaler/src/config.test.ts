import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { startFakeApi } from './testing/fakeApi.ts';
import { startOperator } from './testing/operatorProcess.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

const run = (env: Readonly<Record<string, string>>, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    env: { ...compileCache, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

suite('configuration', () => {
  test('is shown by --help', () => {
    const { status, stdout } = run({}, '--help');
    assert.equal(status, 0);
    for (const name of [
      'HEARTH_KUBERNETES_URL',
      'HEARTH_NAMESPACE',
      'HEARTH_REDIS_URL, HEARTH_REDIS_URL_FILE',
      'HEARTH_METRICS_PORT',
    ])
      assert.match(stdout, new RegExp(name));
  });

  test('serves metrics and probes on HEARTH_METRICS_HOST, by default only on this machine', async (t) => {
    const api = await startFakeApi();
    t.after(() => api.stop());
    for (const [expected, other, env] of [
      ['127.0.0.1', '127.0.0.2', { HEARTH_HOST: '127.0.0.2' }],
      ['127.0.0.2', '127.0.0.1', { HEARTH_METRICS_HOST: '127.0.0.2' }],
    ] as const) {
      const operator = await startOperator({ HEARTH_KUBERNETES_URL: api.url, ...env });
      const { port } = new URL(operator.url);
      for (const path of ['/metrics', '/livez']) {
        assert.equal((await fetch(`http://${expected}:${port}${path}`)).status, 200);
        await assert.rejects(fetch(`http://${other}:${port}${path}`));
      }
      operator.signal('SIGTERM');
      assert.equal(await operator.ended(), 0);
    }
  });

  test('causes a one-line error without a stack if the listener cannot start', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const HEARTH_METRICS_HOST = '192.0.2.1';
    for (const [env, expected] of [
      [{ HEARTH_METRICS_PORT: `${port}` }, `127.0.0.1:${port}; stop the other program, or set HEARTH_METRICS_PORT`],
      [{ HEARTH_METRICS_HOST }, '; not an address of this machine: correct HEARTH_METRICS_HOST'],
    ] as const) {
      const addresses = { HEARTH_KUBERNETES_URL: 'http://127.0.0.1:1', HEARTH_NAMESPACE: 'test' };
      const { status, stdout, stderr } = run({ ...addresses, ...env });
      assert.deepEqual([status, stderr], [1, '']);
      const { level, msg } = JSON.parse(stdout) as { readonly level: string; readonly msg: string };
      assert.equal(level, 'fatal');
      assert.ok(msg.startsWith('could not start the operator: listen ') && msg.endsWith(expected), msg);
    }
  });

  test('reports all errors at once, shows no secret, and exits with a dedicated code', () => {
    const { status, stderr } = run({
      HEARTH_REDIS_URL: 'http://secret',
      HEARTH_METRICS_PORT: '65536',
      HEARTH_WATCH_SILENCE_SECONDS: '0',
      HEARTH_NAMESPACE: 'No!',
    });
    assert.equal(status, 78);
    for (const name of [
      'HEARTH_KUBERNETES_URL',
      'HEARTH_REDIS_URL',
      'HEARTH_METRICS_PORT',
      'HEARTH_NAMESPACE',
      'HEARTH_WATCH_SILENCE_SECONDS',
    ])
      assert.match(stderr, new RegExp(`${name}: expected`));
    assert.doesNotMatch(stderr, /secret/);
  });

  test('accepts a secret from a file, but not from two places', () => {
    const { stderr } = run({ HEARTH_REDIS_URL: 'redis://a', HEARTH_REDIS_URL_FILE: '/nowhere' });
    assert.match(stderr, /HEARTH_REDIS_URL_FILE is also set/);
    assert.match(run({ HEARTH_REDIS_URL_FILE: '/nowhere' }).stderr, /the file in HEARTH_REDIS_URL_FILE cannot be read/);
  });
});
