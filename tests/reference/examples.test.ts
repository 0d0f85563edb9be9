import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { exampleVariables } from '@hearth/contract/examples.ts';
import { routes } from '@hearth/contract/routes.ts';
import { toVariableName } from '@hearth/scripts/site/codeSamples.ts';
import { makeSamples } from '@hearth/scripts/site/siteDocument.ts';
import { makeReader, type Reader } from './reader.ts';
import { prepareHearth } from '@hearth/testkit/hearth/testHearth.ts';

type RouteName = keyof typeof routes;

const names = Object.keys(routes) as RouteName[];

/** Runs a program in a folder. An endless one is stopped after its first output. @throws unless it succeeds */
const run = async (
  [program = '', ...args]: readonly string[],
  { cwd, env, isEndless }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly isEndless: boolean },
): Promise<void> => {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (isEndless && output.includes('event: ready')) process.kill(-child.pid!, 'SIGKILL');
    });
  }
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...ending) => resolve(ending));
  });
  if (isEndless ? signal !== 'SIGKILL' : code !== 0) throw new Error(`exited with ${signal ?? code}:\n${output}`);
};

/** Runs the example of every route on a new Hearth, as a reader would. */
const runAll = async (
  t: TestContext,
  lang: string,
  getCommand: (source: string, folder: string) => Promise<string[]>,
) => {
  const sandbox = await prepareHearth(t, { HEARTH_OFFLINE: '1' });
  const web = join(sandbox.directory, 'web');
  const folder = join(sandbox.directory, 'reader');
  await Promise.all([web, folder].map((path) => mkdir(path, { recursive: true })));
  // The first start prints a link with a sign-in code only if the web app is installed.
  await writeFile(join(web, 'index.html'), '<!doctype html>');
  const hearth = sandbox.start({ HEARTH_WEB_DIR: web });
  await hearth.running;
  const runExample = async (name: RouteName, variables: Readonly<Record<string, string>>): Promise<void> => {
    const source = makeSamples(name).find((sample) => sample.lang === lang)!.source;
    const { example }: Route = routes[name];
    const options = { cwd: folder, env: variables, isEndless: example?.isEndless === true };
    await run(await getCommand(source, folder), options).catch((error: Error) => {
      throw new Error(`${name}:\n${source}\n${error.message}`);
    });
  };
  // The code works until the first sign-in with a password.
  const [, code = ''] = /\/welcome#(\S+)/.exec(hearth.output()) ?? [];
  await runExample('logInOnce', { HEARTH: hearth.url, CODE: code });
  const reader: Reader = await makeReader(t, { ...sandbox, hearth, folder });
  const failed: string[] = [];
  for (const name of names.filter((each) => each !== 'logInOnce')) {
    const variables = await reader.variablesFor(name);
    await runExample(name, variables).catch((error: Error) => failed.push(error.message));
  }
  assert.deepEqual(failed, []);
};

const curl = /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '');
const hasCurl = curl !== null && (Number(curl[1]) > 7 || Number(curl[2]) >= 82);

test("every route's curl example works", { skip: hasCurl ? false : 'needs curl 7.82' }, (t) =>
  runAll(t, 'Shell', async (source) => ['bash', '-euc', source]),
);

/** Python with the package `requests`. */
const python = spawnSync('python3', ['-c', 'import requests']).status === 0;

test("every route's Python example works", { skip: python ? false : 'needs python3 with requests' }, (t) =>
  runAll(t, 'Python', async (source, folder) => {
    const names = Object.keys(exampleVariables);
    const variables = names.map((name) => `${name.toLowerCase()} = os.environ.get("${name}", "")`);
    const file = join(folder, 'example.py');
    await writeFile(file, ['import os', ...variables, source].join('\n'));
    // Unbuffered, so that an endless example shows its first line.
    return ['python3', '-u', file];
  }),
);

test("every route's TypeScript example works", (t) =>
  runAll(t, 'TypeScript', async (source, folder) => {
    const names = Object.keys(exampleVariables);
    const constants = names.map((name) => `const ${toVariableName(name)} = process.env['${name}'] ?? '';`);
    const [imports = '', rest] = source.startsWith('import ') ? source.split(/\n\n(.*)/s) : ['', source];
    const file = join(folder, 'example.mts');
    await writeFile(file, [imports, ...constants, rest].join('\n'));
    return [process.execPath, file];
  }));
