import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { explainMissingTestData } from '@hearth/testkit/run/testData.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { admin, findFreePorts } from '@hearth/testkit/hearth/hearth.ts';
import { sendForJson } from '@hearth/testkit/hearth/request.ts';
import { parseLoadName } from './loads.ts';
import { startLoadHearth } from './loadHearth.ts';
import { runK6 } from './runK6.ts';
import { fillSearchedLibraries, toyModelVariables } from './searchedLibraries.ts';

const needsK6 = { skip: missingTool('k6') };

/**
 * k6 exit codes (https://grafana.com/docs/k6/latest/using-k6/thresholds/). `scriptFailed` means that `setup` failed.
 */
const exitCodes = { thresholdMissed: 99, scriptFailed: 107 } as const;

const ignoreOutput = (): void => undefined;

test(
  'smoke and search meet their thresholds on an embedded Hearth, write reports and delete their accounts',
  needsK6,
  async (t) => {
    const { url, directory, run } = await startLoadHearth(t, toyModelVariables());
    const { code, output } = await runK6({ ...run, load: 'smoke', seconds: '3', slowness: '10' }, ignoreOutput);
    assert.equal(code, 0, output);
    const read = (result: string) => readFile(join(run.reportFolder, `smoke.${result}`), 'utf8');
    const { metrics } = JSON.parse(await read('json')) as {
      readonly metrics: Readonly<Record<string, { readonly values: Readonly<Record<string, number>> }>>;
    };
    assert.equal(metrics['dropped_iterations']?.values['count'], 0);
    assert.ok((metrics['http_reqs{endpoint:thumbnail}']?.values['count'] ?? 0) >= 3);
    const table = await read('md');
    assert.match(table, /^\| thumbnail \| \d+ \| [\d.]+ ms \| [\d.]+ × \|/m);
    assert.match(table, /All thresholds passed/);
    assert.match(await read('svg'), /^<svg [^>]+>[^]+>thumbnail<[^]+<\/svg>$/);
    // Without the model, k6 uploads the libraries that it searches.
    const searchUsers = explainMissingTestData('models')
      ? undefined
      : await fillSearchedLibraries({ url, admin }, directory, 1_000);
    const search = { ...run, load: 'search', seconds: '2', rate: '5', slowness: '10', searchUsers } as const;
    const searchResult = await runK6(search, ignoreOutput);
    assert.equal(searchResult.code, 0, searchResult.output);
    assert.match(searchResult.output, /^\| search \| \d+ \|/m);
    const users = await sendForJson<readonly { readonly username: string }[]>(url, '/v1/users', { basic: admin });
    assert.deepEqual(
      users.filter(({ username }) => username.startsWith('load-')),
      [],
    );
  },
);

test('exits with 99 and names the missed threshold when responses are too slow', needsK6, async (t) => {
  const { run } = await startLoadHearth(t);
  const { code, output } = await runK6({ ...run, load: 'smoke', seconds: '1', slowness: '0.0001' }, ignoreOutput);
  assert.equal(code, exitCodes.thresholdMissed, output);
  assert.match(output, /^- MISSED: http_req_duration\{endpoint:thumbnail\}: p\(95\)<0\.03$/m);
});

test('exits with an error if Hearth is unreachable or the password is wrong', needsK6, async (t) => {
  const { run } = await startLoadHearth(t);
  const unreachableRun = { ...run, url: `http://127.0.0.1:${(await findFreePorts()).api}` };
  const unreachableResult = await runK6({ ...unreachableRun, load: 'smoke', seconds: '1' }, ignoreOutput);
  assert.equal(unreachableResult.code, exitCodes.scriptFailed, unreachableResult.output);
  const wrongPasswordRun = { ...run, admin: { username: admin.username, password: 'another-one' } };
  const refused = await runK6({ ...wrongPasswordRun, load: 'smoke', seconds: '1' }, ignoreOutput);
  assert.equal(refused.code, exitCodes.scriptFailed, refused.output);
  assert.match(refused.output, /POST .+\/v1\/users returned 401/);
});

test('rejects an unknown load and lists the valid names', () => {
  assert.equal(parseLoadName('browse'), 'browse');
  assert.throws(() => parseLoadName('storm'), /unknown load storm; valid names:\n {2}smoke [^]+ {2}share /);
});
