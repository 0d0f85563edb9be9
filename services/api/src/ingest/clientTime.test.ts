import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { multipart } from '@hearth/testkit/api/multipart.ts';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';
import { makeNextPhoto } from '@hearth/testkit/api/testUser.ts';
import { readClientTime } from './clientTime.ts';

const api = await startTestApi({ config: { timeZone: 'Europe/Rome' } });
const { call } = await api.signUp();
after(() => api.stop());

const now = new Date('2026-01-10T12:00:00Z');

for (const [text, expected] of [
  ['2022-04-03T12:56:11.25+05:30', ['2022-04-03T07:26:11.250Z', 330]],
  ['2022-04-03T12:56:11-03:30', ['2022-04-03T16:26:11.000Z', -210]],
  ['2022-04-03T12:56:11+00:00', ['2022-04-03T12:56:11.000Z', 0]],
  ['2022-04-03T12:56:11Z', ['2022-04-03T12:56:11.000Z', 0]],
  ['2022-04-03T12:56:11z', ['2022-04-03T12:56:11.000Z', 0]],
  ['2022-04-03T12:56:11+14:00', ['2022-04-02T22:56:11.000Z', 840]],
  ['2022-04-03T12:56:11+14:01', ['2022-04-02T22:55:11.000Z', undefined]],
  ['2022-04-03T12:56:11-15:00', ['2022-04-04T03:56:11.000Z', undefined]],
  ['2022-04-03T12:56:11-00:00', ['2022-04-03T12:56:11.000Z', undefined]],
  ['2026-01-11T12:00:00Z', ['2026-01-11T12:00:00.000Z', 0]],
  ['2026-01-11T12:00:01Z', undefined],
  ['2026-01-12T01:00:00+13:00', ['2026-01-11T12:00:00.000Z', 780]],
  ['9998-01-01T00:00:00Z', undefined],
] as const) {
  test(`parses ${text} as ${expected?.join(' at ') ?? 'no time'}`, () => {
    const time = readClientTime(text, now);
    assert.deepEqual(time && [time.takenAt.toISOString(), time.utcOffsetMinutes], expected);
  });
}

const uploadAt = async (creationTime: string) => {
  const file = { name: 'file', filename: 'a.jpg', content: await makeNextPhoto() };
  const { id } = (await call('uploadMediaItem', multipart([{ name: 'creationTime', content: creationTime }, file])))
    .body;
  return (await call('getMediaItem', { params: { id } })).body;
};

test("shows an uploader's local time with its offset, and the server's local time for a UTC instant", async () => {
  const local = await uploadAt('2022-04-03T12:56:11+05:30');
  assert.deepEqual(
    [local.creationTime, local.localTime, local.utcOffset],
    ['2022-04-03T07:26:11.000Z', '2022-04-03T12:56:11', '+05:30'],
  );
  const utc = await uploadAt('2022-04-03T12:56:11Z');
  assert.deepEqual([utc.localTime, utc.utcOffset], ['2022-04-03T12:56:11', '+00:00']);
  const instant = await uploadAt('2022-04-03T12:56:11-00:00');
  assert.deepEqual([instant.localTime, instant.utcOffset], ['2022-04-03T14:56:11', undefined]);
});

test('replaces a time in the future with the upload time, so that searches by date find other items', async () => {
  const item = await uploadAt('2093-05-05T12:00:00+05:30');
  assert.ok(Math.abs(Date.parse(item.creationTime) - Date.now()) < 60_000, item.creationTime);
  assert.equal(item.utcOffset, undefined);
  const june = await uploadAt('2023-06-15T12:00:00Z');
  const found = (await call('searchMediaItems', { query: { q: 'june 2023' } })).body;
  assert.deepEqual(
    found.map(({ id }) => id),
    [june.id],
  );
});
