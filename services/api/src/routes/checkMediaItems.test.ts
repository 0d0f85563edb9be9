import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { assertAllAnswersSeen } from '../testing/answerChecker.ts';
import { fileUpload } from '../testing/multipart.ts';
import { startTestApi } from '../testing/testApi.ts';
import { nextPhoto } from '../testing/testUser.ts';

const api = await startTestApi();
after(() => api.stop());
const { call } = await api.signUp();

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const check = async (checksums: readonly string[], as = call) =>
  (await as('checkMediaItems', { body: { checksums } })).body.existing;

/** Uploads a new photo, and answers its item and its checksum. */
const uploadOne = async (as = call): Promise<readonly [id: string, checksum: string]> => {
  const photo = await nextPhoto();
  return [(await as('uploadMediaItem', fileUpload(photo))).body.id, sha256(photo)];
};

test('of the files that are asked for those are named that are there, as they were asked for', async () => {
  const [[oneId, one], [otherId, other]] = [await uploadOne(), await uploadOne()];
  const missing = sha256(Buffer.from('missing'));
  const asked = [one, other.toUpperCase(), other, missing];
  assert.deepEqual(await check(asked), { [one]: oneId, [other.toUpperCase()]: otherId, [other]: otherId });
  assert.deepEqual(await check([missing]), {});
  const many = Array.from({ length: 999 }, (_, i) => sha256(Buffer.from(String(i))));
  assert.deepEqual(await check([...many, one]), { [one]: oneId });
});

test('an item in the trash is there and stays there; one that is removed for good is not', async () => {
  const [id, checksum] = await uploadOne();
  await call('deleteMediaItem', { params: { id } });
  assert.deepEqual(await check([checksum]), { [checksum]: id });
  assert.equal((await call('getMediaItem', { params: { id } })).body.deleted, true);
  await call('deleteMediaItem', { params: { id }, query: { permanent: true } });
  assert.deepEqual(await check([checksum]), {});
});

test('what another user has is not there', async () => {
  const [, checksum] = await uploadOne();
  const other = await api.signUp();
  assert.deepEqual(await check([checksum], other.call), {});
});

test('no checksum, too many, or one of another form is refused', async () => {
  const good = sha256(Buffer.from('good'));
  for (const checksums of [
    [],
    Array(1_001).fill(good),
    [good, good.slice(1)],
    [`${good}0`],
    [good.replace(/./, 'g')],
    good,
  ]) {
    assert.equal((await call('checkMediaItems', { body: { checksums } })).error.code, 'VALIDATION_FAILED');
  }
  assertAllAnswersSeen(['checkMediaItems']);
});
