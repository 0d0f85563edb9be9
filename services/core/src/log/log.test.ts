import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** Returns the parsed log lines of a process that runs `source`. */
const logged = (source: string, level = 'info'): Record<string, unknown>[] => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    const log = createLog('api', ${JSON.stringify(level)});
    ${source}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

test('writes one line per message, with the level as text, the process and the time in UTC', () => {
  const [line, ...rest] = logged(`log.info({ mediaItemId: 'x' }, 'stored');`);
  assert.deepEqual(rest, []);
  const { time, ...others } = line!;
  assert.deepEqual(others, { level: 'info', process: 'api', mediaItemId: 'x', msg: 'stored' });
  assert.match(time as string, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
});

test('writes no messages below the level', () => {
  const source = `for (const level of ['debug', 'info', 'warn', 'error']) log[level](level);`;
  assert.deepEqual(
    logged(source, 'warn').map(({ msg }) => msg),
    ['warn', 'error'],
  );
  assert.equal(logged(source, 'debug').length, 4);
});

test('writes an error with its type, stack and cause', () => {
  const [line] = logged(`log.error({ err: new TypeError('broke', { cause: new Error('because') }) }, 'failed');`);
  const { type, message, stack } = line!['err'] as Record<string, string>;
  assert.equal(type, 'TypeError');
  assert.match(message!, /broke/);
  assert.match(stack!, /caused by: Error: because/);
});

test('redacts passwords and authorization headers', () => {
  const [line] = logged(`log.info({
    password: 'hunter2', authorization: 'hunter2', body: { password: 'hunter2' }, headers: { authorization: 'hunter2' },
    req: { headers: { authorization: 'hunter2', accept: 'x' } },
  });`);
  assert.doesNotMatch(JSON.stringify(line), /hunter2/);
  assert.equal(line!['password'], '(secret)');
  assert.deepEqual(line!['req'], { headers: { authorization: '(secret)', accept: 'x' } });
});

test('writes an error without data that libraries attach', () => {
  const [line] = logged(`
    const error = Object.assign(new Error('refused'), {
      code: '23502', client: { password: 'hunter2' }, command: { args: ['hunter2'] }, detail: 'Failing row contains (hunter2).',
    });
    log.error({ err: new Error('not written', { cause: error }) }, 'failed'); log.error({ err: error }, 'failed');`);
  assert.doesNotMatch(JSON.stringify(line), /hunter2/);
  const [, direct] = logged(`
    log.info('one');
    log.error({ err: Object.assign(new Error('refused'), { code: '23502', detail: 'hunter2', command: { args: ['hunter2'] } }) }, 'x');`);
  assert.doesNotMatch(JSON.stringify(direct), /hunter2/);
  assert.equal((direct!['err'] as Record<string, string>)['code'], '23502');
});
