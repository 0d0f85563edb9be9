import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { Redis } from 'ioredis';
import { startTestRedis } from './redis.ts';
import { missingTool } from '../run/tools.ts';
import { waitUntil } from '../run/waitUntil.ts';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Connects for one command, with a timeout of one second. */
const runCommand = async (url: string, command: string, ...args: string[]): Promise<unknown> => {
  const redis = new Redis(url, { commandTimeout: 1_000, retryStrategy: null, maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined);
  try {
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
};

suite('test server', { skip: missingTool('redis-server') }, () => {
  test('can be killed, restarted with its data, frozen and resumed', async () => {
    const redis = await startTestRedis();
    await runCommand(redis.url, 'set', 'name', 'hearth');
    const { pid } = redis;
    await redis.kill();
    await assert.rejects(runCommand(redis.url, 'get', 'name'));
    await redis.restart();
    assert.notEqual(redis.pid, pid);
    assert.equal(await runCommand(redis.url, 'get', 'name'), 'hearth');
    await redis.freeze();
    await assert.rejects(runCommand(redis.url, 'get', 'name'), /timed out/);
    await redis.thaw();
    assert.equal(await runCommand(redis.url, 'get', 'name'), 'hearth');
    await redis.stop();
    assert.equal(await exists(redis.directory), false);
  });

  test('reports why it did not start', async () => {
    await assert.rejects(startTestRedis({ args: ['--no-such-setting', '1'] }), /did not start: [^]*no-such-setting/);
  });

  test('ends with the process that started it and removes its files, even while frozen', async () => {
    const source = `
      import { startTestRedis } from ${JSON.stringify(new URL('redis.ts', import.meta.url).href)};
      const redis = await startTestRedis();
      await redis.freeze();
      console.log(JSON.stringify(redis));
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { pid, directory } = JSON.parse(line.toString()) as { pid: number; directory: string };
    assert.ok(process.kill(pid, 0) && (await exists(directory)));
    child.kill('SIGKILL');
    await waitUntil('the files are deleted', async () => !(await exists(directory)));
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});
