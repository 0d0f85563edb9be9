import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { strToU8, zipSync } from 'fflate';
import { lacksTestPoints, testMirror } from '@hearth/testkit/places/evaluatePlaces.ts';
import { obtainPostcodes } from './obtainPostcodes.ts';
import { readPostcodeList } from './postcodeList.ts';

const directory = await mkdtemp(join(tmpdir(), 'hearth-postcodes-'));
after(() => rm(directory, { recursive: true }));

const archive = (rows: readonly object[], name = 'zipcodes.xx.json'): Uint8Array =>
  zipSync({ 'zipcodes.xx.csv': strToU8('not this one'), [name]: strToU8(JSON.stringify(rows)) });

const original = (country: string): string => join(testMirror, 'postal', `${country}.zip`);

const row = { zipcode: '12345', latitude: '1.5', longitude: '-2.25' };

test('reads each position of an archive with its first postcode, without those of large recipients', () => {
  const rows = [
    row,
    { ...row, zipcode: '12346' },
    { zipcode: '67001 CEDEX', latitude: '3', longitude: '3' },
    { zipcode: '9', latitude: '', longitude: '' },
    { zipcode: 'X 1', latitude: '4', longitude: '5' },
  ];
  assert.deepEqual(readPostcodeList(archive(rows)), [
    { postcode: '12345', latitude: 1.5, longitude: -2.25 },
    { postcode: 'X 1', latitude: 4, longitude: 5 },
  ]);
});

test('rejects an archive without a list', () => {
  assert.throws(() => readPostcodeList(archive([row], 'readme.txt')), /no postcode list/);
});

test('requests nothing offline without a mirror, and reports it', async () => {
  const messages: string[] = [];
  const lists = await obtainPostcodes({ mirror: undefined, isOffline: true, onMissing: (what) => messages.push(what) });
  assert.equal(lists.size, 0);
  assert.deepEqual(messages, ['any country (HEARTH_OFFLINE forbids downloads)']);
});

suite('with a mirror', { skip: lacksTestPoints }, () => {
  test('uses the files of a folder, except those with a wrong checksum', async () => {
    await mkdir(join(directory, 'postal'));
    for (const country of ['GI', 'LI']) await cp(original(country), join(directory, 'postal', `${country}.zip`));
    await writeFile(join(directory, 'postal', 'HK.zip'), archive([row]));
    const messages: string[] = [];
    const lists = await obtainPostcodes({
      mirror: directory,
      isOffline: true,
      onMissing: (what) => messages.push(what),
    });
    assert.deepEqual([...lists.keys()], ['GI', 'LI']);
    assert.deepEqual(
      lists.get('GI')?.map(({ postcode }) => postcode),
      ['GX11 1AA'],
    );
    assert.equal(messages[0], 'HK: wrong checksum');
    assert.match(messages.at(-1) ?? '', /^AD, .*: not found$/);
  });

  test('uses the files of a URL', async () => {
    const server = createServer(({ url = '' }, response) => {
      // Closes each connection: an idle one is closed after a while, possibly just when a slow client sends its next request.
      response.setHeader('connection', 'close');
      if (url !== '/geo/postal/AT.zip') response.writeHead(404).end();
      else void readFile(original('AT')).then((bytes) => response.end(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const messages: string[] = [];
    const mirror = `http://127.0.0.1:${port}/geo/`;
    const lists = await obtainPostcodes({ mirror, isOffline: false, onMissing: (what) => messages.push(what) });
    server.close();
    assert.deepEqual([...lists.keys()], ['AT']);
    assert.ok(lists.get('AT')!.length > 9_000);
    assert.equal(messages.length, 1);
  });
});

test('gives up an unreachable URL after two attempts', async () => {
  const messages: string[] = [];
  const mirror = 'http://127.0.0.1:1';
  assert.equal((await obtainPostcodes({ mirror, isOffline: false, onMissing: (what) => messages.push(what) })).size, 0);
  const reason =
    '127.0.0.1:1 cannot be reached: check that it runs, the network, and HTTPS_PROXY behind a proxy (ECONNREFUSED)';
  assert.deepEqual(messages, [`AD: ${reason}`, `AI: ${reason}`, 'the other countries (network unavailable)']);
});
