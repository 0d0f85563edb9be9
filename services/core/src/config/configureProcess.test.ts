import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commonVariables, databaseVariables } from './commonConfig.ts';
import { exitCodes } from './configureProcess.ts';

const moduleUrl = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** Runs a program that configures itself as services do and prints the result. */
const runProgram = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const source = `
    import { configureProcess } from ${moduleUrl('configureProcess.ts')};
    import { commonVariables, databaseVariables } from ${moduleUrl('commonConfig.ts')};
    const config = configureProcess('Tests configureProcess.', (env) => ({ ...commonVariables(env), ...databaseVariables }));
    console.log(JSON.stringify(config));`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source, '--', ...args], { env, encoding: 'utf8' });
};

test('reads a complete configuration', () => {
  const { status, stdout, stderr } = runProgram([], {
    HEARTH_DATABASE_URL: 'postgres://db/hearth',
    HEARTH_DATA_DIR: '/photos',
  });
  assert.equal(stderr, '');
  const config = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual(
    [config['databaseUrl'], config['dataDirectory'], config['logLevel']],
    ['postgres://db/hearth', '/photos', 'info'],
  );
  assert.equal(status, 0);
});

test('prints all problems and exits with the code that tells supervisors not to restart', () => {
  const { status, stdout, stderr } = runProgram([], { HEARTH_LOG_LEVEL: 'loud', HEARTH_TIMEZONE: 'nowhere' });
  assert.equal(status, exitCodes.badConfiguration);
  assert.equal(stdout, '');
  assert.match(stderr, /HEARTH_LOG_LEVEL: expected debug, info, warn or error \(found "loud"\)/);
  assert.match(stderr, /HEARTH_TIMEZONE: expected a time zone/);
  assert.match(stderr, /HEARTH_DATABASE_URL: .*not set/);
  assert.match(stderr, /Run with --help for all variables\.\n$/);
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace');
});

test('prints the purpose and each variable once for --help and -h, whatever is configured', () => {
  for (const flag of ['--help', '-h']) {
    const { status, stdout, stderr } = runProgram([flag], { HEARTH_LOG_LEVEL: 'loud' });
    assert.equal(status, 0);
    assert.equal(stderr, '');
    assert.match(stdout, /^Tests configureProcess\.\n\nEnvironment variables:\n/);
    const names = [...stdout.matchAll(/^ {2}(HEARTH_\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(
      names,
      Object.values({ ...commonVariables({}), ...databaseVariables }).map(({ name }) => name),
    );
    assert.equal(new Set(names).size, names.length);
    assert.match(stdout, /HEARTH_DATABASE_URL, HEARTH_DATABASE_URL_FILE\n/);
  }
});

test('exits with a hint if Node is too old', () => {
  for (const version of ['20.20.2', '24.11.1']) {
    const { status, stdout, stderr } = runWith(version);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      new RegExp(`Hearth needs Node.js 24.12 or newer but was started with ${version}. Start it with npm`),
    );
  }
  for (const version of ['24.12.0', '24.21.0', '26.0.0']) {
    assert.deepEqual([runWith(version).status, runWith(version).stdout], [0, 'goes on\n']);
  }
});

/** Runs `requireNode` in a process, as if Node had this version. */
const runWith = (version: string) => {
  const source = `
    import { requireNode } from ${moduleUrl('configureProcess.ts')};
    requireNode(${JSON.stringify(version)});
    console.log('goes on');`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
};

test('passes only its own and system variables to a child, and lets overrides win over _FILE variables', () => {
  const source = `
    import { childEnvironment } from ${moduleUrl('configureProcess.ts')};
    const table = { key: { name: 'HEARTH_KEY' }, port: { name: 'HEARTH_PORT' }, name: { name: 'HEARTH_NAME' } };
    console.log(JSON.stringify(childEnvironment(() => table, { HEARTH_KEY: 'child', HEARTH_PORT: '0' })));`;
  const given = { HEARTH_KEY_FILE: '/run/key', HEARTH_PORT: '5001', HEARTH_NAME: 'home', TZ: 'Asia/Kathmandu' };
  const secrets = { HEARTH_ADMIN_PASSWORD: 'x', HEARTH_TOKEN_SECRET_FILE: '/run/token', AWS_SECRET_ACCESS_KEY: 'x' };
  const env = { ...given, ...secrets };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { env, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(stdout), {
    HEARTH_KEY: 'child',
    HEARTH_PORT: '0',
    HEARTH_NAME: 'home',
    TZ: 'Asia/Kathmandu',
  });
});
