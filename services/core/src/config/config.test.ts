import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commonVariables, databaseVariables } from './commonConfig.ts';
import {
  ConfigError,
  describeConfig,
  port,
  readConfig,
  text,
  timeZone,
  wholeNumber,
  type ConfigTable,
} from './config.ts';

const directory = mkdtempSync(join(tmpdir(), 'hearth-config-'));
after(() => rmSync(directory, { recursive: true }));

const secretFile = (content: string): string => {
  const path = join(directory, `secret-${Math.random()}`);
  writeFileSync(path, content);
  return path;
};

const table = {
  name: { name: 'HEARTH_NAME', description: 'A name', schema: text() },
  port: { name: 'HEARTH_PORT', description: 'A port', schema: port(5001), default: '5001' },
  zone: { name: 'HEARTH_ZONE', description: 'A zone', schema: timeZone('Europe/Berlin'), default: 'Europe/Berlin' },
  key: { name: 'HEARTH_KEY', description: 'A key', schema: text().min(8, 'expected 8 characters'), secret: true },
} as const satisfies ConfigTable;

const getProblems = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(table, env);
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.problems;
  }
  assert.fail('the configuration was accepted');
};

test('reads values, and uses the defaults of variables that are unset or empty', () => {
  const given = { HEARTH_NAME: 'home', HEARTH_KEY: 'long enough', HEARTH_ZONE: '' };
  assert.deepEqual(readConfig(table, given), { name: 'home', port: 5001, zone: 'Europe/Berlin', key: 'long enough' });
  const more = { ...given, HEARTH_PORT: '8080', HEARTH_ZONE: 'Asia/Tokyo' };
  assert.deepEqual(readConfig(table, more), { name: 'home', port: 8080, zone: 'Asia/Tokyo', key: 'long enough' });
});

test('reports all problems at once, one per line', () => {
  const env = { HEARTH_NAME: '', HEARTH_PORT: 'http', HEARTH_ZONE: 'Mars/Olympus', HEARTH_KEY_FILE: '/nowhere/key' };
  assert.deepEqual(getProblems(env), [
    'HEARTH_NAME: expected text (not set)',
    'HEARTH_PORT: expected a port from 0 to 65535 (found "http")',
    'HEARTH_ZONE: expected a time zone such as Europe/Berlin (found "Mars/Olympus")',
    'HEARTH_KEY_FILE: cannot read that file (ENOENT)',
  ]);
  assert.throws(() => readConfig(table, env), /^ConfigError: Invalid configuration:\n {2}- HEARTH_NAME: .*\n {2}- /);
});

test('reads a secret from its variable or, without the line end, from the file in its _FILE variable', () => {
  const name = 'home';
  assert.equal(
    readConfig(table, { HEARTH_NAME: name, HEARTH_KEY_FILE: secretFile('from the file\n') }).key,
    'from the file',
  );
  assert.equal(readConfig(table, { HEARTH_NAME: name, HEARTH_KEY: 'from here', HEARTH_KEY_FILE: '' }).key, 'from here');
  assert.equal(
    readConfig(table, { HEARTH_NAME: name, HEARTH_KEY: '', HEARTH_KEY_FILE: secretFile('from there') }).key,
    'from there',
  );
});

test('rejects a secret that is set twice, empty or unreadable', () => {
  const both = { HEARTH_NAME: 'home', HEARTH_KEY: 'twice as long', HEARTH_KEY_FILE: secretFile('twice as long') };
  assert.deepEqual(getProblems(both), ['HEARTH_KEY and HEARTH_KEY_FILE are both set; set only one']);
  assert.deepEqual(getProblems({ HEARTH_NAME: 'home', HEARTH_KEY_FILE: secretFile(' \n') }), [
    'HEARTH_KEY: expected text (not set)',
  ]);
  assert.deepEqual(getProblems({ HEARTH_NAME: 'home', HEARTH_KEY_FILE: directory }), [
    'HEARTH_KEY_FILE: cannot read that file (EISDIR)',
  ]);
});

test('reads files for secrets only', () => {
  const env = { HEARTH_KEY: 'long enough', HEARTH_NAME_FILE: secretFile('home') };
  assert.deepEqual(getProblems(env), ['HEARTH_NAME: expected text (not set)']);
});

test('never shows the value of a secret in a problem', () => {
  const wrong = { HEARTH_NAME: 'home', HEARTH_KEY: 'hunter2' };
  assert.deepEqual(getProblems(wrong), ['HEARTH_KEY: expected 8 characters (invalid value)']);
  assert.doesNotMatch(getProblems({ HEARTH_NAME: 'home', HEARTH_KEY_FILE: secretFile('hunter2') }).join(), /hunter2/);
  const url = getDatabaseProblem('mysql://root:hunter2@db/hearth');
  assert.match(url, /HEARTH_DATABASE_URL: expected postgres/);
  assert.doesNotMatch(url, /hunter2/);
});

const getDatabaseProblem = (url: string): string => {
  try {
    readConfig(databaseVariables, { HEARTH_DATABASE_URL: url });
  } catch (error) {
    return (error as Error).message;
  }
  assert.fail('the configuration was accepted');
};

test('accepts a number only as digits within its range', () => {
  const schema = wholeNumber(1, 200, 15);
  for (const [given, read] of [
    ['1', 1],
    ['200', 200],
    ['007', 7],
    [undefined, 15],
  ] as const) {
    assert.equal(schema.parse(given), read);
  }
  for (const given of ['0', '201', '-5', '1e2', '0x10', '1.5', ' 7', '7 ', '', 'NaN', '9'.repeat(17)]) {
    assert.equal(schema.safeParse(given).success, false, given);
  }
});

test('describes each variable once, with its _FILE variable if it is a secret, and its default', () => {
  assert.equal(
    describeConfig(table),
    [
      '  HEARTH_NAME\n      A name (must be set)',
      '  HEARTH_PORT\n      A port (default: 5001)',
      '  HEARTH_ZONE\n      A zone (default: Europe/Berlin)',
      '  HEARTH_KEY, HEARTH_KEY_FILE\n      A key (must be set)',
    ].join('\n'),
  );
});

test('stores data in the home directory by default, never in the current one', () => {
  assert.match(getDataDirectory({}), /^\/.*\/\.local\/share\/hearth$/);
  assert.equal(getDataDirectory({ XDG_DATA_HOME: '/srv/data' }), '/srv/data/hearth');
  assert.equal(getDataDirectory({ XDG_DATA_HOME: '/srv/data', HEARTH_DATA_DIR: '/photos' }), '/photos');
});

const getDataDirectory = (env: NodeJS.ProcessEnv): string => readConfig(commonVariables(env), env).dataDirectory;
