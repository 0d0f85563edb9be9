import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, afterEach, test } from 'node:test';
import { toolRecord } from '@hearth/testkit/run/tools.ts';
import { installTools, type Recipe } from './installTools.ts';
import { recipes } from './recipes.ts';

let parent: string;
let directory: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hearth-install-tools-'));
  directory = join(parent, 'tools');
});
afterEach(() => rm(parent, { recursive: true }));

/** Returns a recipe that writes a file. */
const makeRecipe = (version: string, make?: (directory: string) => Promise<void>): Recipe => ({
  kind: 'made',
  version,
  effort: 'for a test',
  path: 'program',
  make: make ?? ((directory) => writeFile(join(directory, 'program'), version)),
});

const install = async (k6: Recipe, onProgress: (what: string) => void = () => undefined) =>
  (await installTools({ directory, recipes: { ...recipes, k6 }, onProgress }, ['k6'])).get('k6');

const readRecord = async (): Promise<unknown> => JSON.parse(await readFile(toolRecord(directory, 'k6'), 'utf8'));

/**
 * Starts another process that installs k6. Its recipe prints a line, takes `ms` milliseconds, and prints another line.
 */
const startInstalling = (ms: number): ChildProcess => {
  const source = `
    import { writeFile } from 'node:fs/promises';
    import { installTools } from ${JSON.stringify(new URL('installTools.ts', import.meta.url).href)};
    const make = async (directory) => {
      await writeFile(directory + '/program', 'half');
      console.log('making');
      await new Promise((resolve) => setTimeout(resolve, ${ms}));
      await writeFile(directory + '/program', 'whole');
    };
    const recipes = { k6: { kind: 'made', version: '1', effort: '', path: 'program', make } };
    await installTools({ directory: ${JSON.stringify(directory)}, recipes, onProgress: () => undefined }, ['k6']);
    console.log('done');`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
};

const readLines = async (child: ChildProcess): Promise<string[]> =>
  (await Array.fromAsync(child.stdout!.setEncoding('utf8') as AsyncIterable<string>))
    .join('')
    .split('\n')
    .filter(Boolean);

test('makes a tool once and records it, and makes another version next to it', async () => {
  let count = 0;
  const counted = (version: string): Recipe =>
    makeRecipe(version, async (folder) => {
      count += 1;
      await writeFile(join(folder, 'program'), version);
    });
  const first = { path: join(directory, 'k6-1', 'program') };
  assert.deepEqual(await install(counted('1')), first);
  assert.deepEqual(await install(counted('1')), first);
  assert.equal(count, 1);
  assert.deepEqual(await readRecord(), first);
  assert.deepEqual(await install(counted('2')), { path: join(directory, 'k6-2', 'program') });
  assert.equal(await readFile(first.path, 'utf8'), '1');
  await rm(join(directory, 'k6-2', 'program'));
  await install(counted('2'));
  assert.equal(count, 3);
});

test('records the reason of a failed installation, retries it later, and still installs the other tools', async () => {
  const messages: string[] = [];
  const broken = makeRecipe('1', () => Promise.reject(new Error('the compiler is broken')));
  const workshop = {
    directory,
    recipes: { ...recipes, k6: broken, versitygw: makeRecipe('1') },
    onProgress: (what: string) => void messages.push(what),
  };
  const found = await installTools(workshop, ['k6', 'versitygw']);
  const reason = 'Installing k6 failed: the compiler is broken';
  assert.deepEqual(found.get('k6'), { missing: reason });
  assert.deepEqual(await readRecord(), { missing: reason });
  assert.ok('path' in found.get('versitygw')!);
  assert.ok(messages.includes(reason));
  assert.ok('path' in (await install(makeRecipe('1')))!);
});

test('one of two processes makes the tool, and both get it', async () => {
  const [one, other] = [startInstalling(1_500), startInstalling(1_500)];
  const lines = await Promise.all([readLines(one), readLines(other)]);
  assert.deepEqual(lines.toSorted(), [['done'], ['making', 'done']]);
  assert.equal(await readFile(join(directory, 'k6-1', 'program'), 'utf8'), 'whole');
});

test('a killed run leaves no half-made tool, and the next run starts over', async () => {
  const killedRun = startInstalling(600_000);
  await once(killedRun.stdout!, 'data');
  killedRun.kill('SIGKILL');
  await once(killedRun, 'exit');
  await assert.rejects(readRecord());
  assert.deepEqual(await install(makeRecipe('1')), { path: join(directory, 'k6-1', 'program') });
  assert.deepEqual((await readdir(directory)).toSorted(), ['k6-1', 'k6.json', 'lock']);
});
