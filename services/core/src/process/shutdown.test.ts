import assert from 'node:assert/strict';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const directory = mkdtempSync(join(tmpdir(), 'hearth-shutdown-'));
after(() => rmSync(directory, { recursive: true }));

const moduleUrl = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);

/** Writes a program that prints `ready` and runs the given shutdown steps, which are source code. */
const writeProgram = (name: string, steps: string, timeoutMs = 60_000): string => {
  const path = join(directory, `${name}.mjs`);
  writeFileSync(
    path,
    `import { createLog } from ${moduleUrl('../log/log.ts')};
    import { shutDownOnSignals } from ${moduleUrl('shutdown.ts')};
    const print = (text) => console.log(text);
    const forEver = () => new Promise(() => {});
    const begin = shutDownOnSignals(createLog('test', 'error'), ${timeoutMs}, [${steps}]);
    setInterval(() => {}, 1_000);
    process.on('message', (code) => begin(code));
    print('ready');`,
  );
  return path;
};

const threeSteps = `
  { name: 'first', run: async () => { print('first'); await new Promise((done) => setTimeout(done, 50)); print('first done'); } },
  { name: 'second', run: async () => { print('second'); throw new Error('second broke'); } },
  { name: 'third', run: async () => print('third') }`;

/** Returns the output and exit code of a child once it has exited. */
const collect = async (child: ChildProcess, onReady: () => void) => {
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const wasReady = output.includes('ready\n');
    output += text;
    if (!wasReady && output.includes('ready\n')) onReady();
  });
  // Not `close`, which a disconnected child never emits.
  const [[code]] = (await Promise.all([once(child, 'exit'), once(child.stdout!, 'end')])) as [[number | null], unknown];
  const lines = output.trim().split('\n');
  return {
    code,
    printed: lines.filter((line) => !line.startsWith('{')),
    logged: lines.filter((line) => line.startsWith('{')),
  };
};

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`runs the steps one after another on ${signal}, even after one fails, and exits with 0`, async () => {
    const child = spawn(process.execPath, [writeProgram('three', threeSteps)]);
    const { code, printed, logged } = await collect(child, () => child.kill(signal));
    assert.equal(code, 0);
    assert.deepEqual(printed, ['ready', 'first', 'first done', 'second', 'third']);
    assert.equal(logged.length, 1);
    assert.match(logged[0]!, /"step":"second".*shutdown step failed/);
    assert.match(logged[0]!, /second broke/);
  });
}

test('runs the steps once, even after several signals', async () => {
  const child = spawn(process.execPath, [writeProgram('often', threeSteps)]);
  const { code, printed } = await collect(child, () => {
    for (let i = 0; i < 3; i++) child.kill('SIGTERM');
  });
  assert.equal(code, 0);
  assert.deepEqual(printed, ['ready', 'first', 'first done', 'second', 'third']);
});

test('shuts down when the parent process is gone', async () => {
  const child = fork(writeProgram('orphan', threeSteps), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const { code, printed } = await collect(child, () => child.disconnect());
  assert.equal(code, 0);
  assert.equal(printed.at(-1), 'third');
});

test('exits with the given exit code', async () => {
  const child = fork(writeProgram('own', threeSteps), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const { code, printed } = await collect(child, () => child.send(78));
  assert.equal(code, 78);
  assert.equal(printed.at(-1), 'third');
});

test('logs and exits when the shutdown takes too long', async () => {
  const program = writeProgram(
    'long',
    `{ name: 'stuck', run: forEver }, { name: 'never', run: async () => print('never') }`,
    200,
  );
  const child = spawn(process.execPath, [program]);
  const { code, printed, logged } = await collect(child, () => child.kill('SIGTERM'));
  assert.equal(code, 1);
  assert.deepEqual(printed, ['ready']);
  assert.match(logged[0]!, /shutdown took too long/);
});

test('exits immediately on a second Ctrl-C', async () => {
  const program = writeProgram(
    'twice',
    `{ name: 'stuck', run: () => { print('begun'); process.kill(process.pid, 'SIGINT'); return forEver(); } }`,
  );
  const child = spawn(process.execPath, [program]);
  const { code, printed } = await collect(child, () => child.kill('SIGINT'));
  assert.equal(code, 130);
  assert.deepEqual(printed, ['ready', 'begun']);
});
