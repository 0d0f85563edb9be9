import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '@hearth/testkit/api/testApi.ts';

const api = await startTestApi();
const user = await api.signUp();
after(() => api.stop());

for (const name of ['\u200b', '\u3164\u2800', '\ufe0f', 'photos\u202egpj', '\u202dabc\u202c', '\u2060 \u200d'])
  test(`rejects ${JSON.stringify(name)} as a name`, async () => {
    const responses = [
      await user.call('createAlbum', { body: { name } }),
      await api.callAsAdmin('updateUser', { params: { id: user.id }, body: { name } }),
    ];
    for (const { status, error } of responses) {
      assert.equal(status, 400);
      assert.deepEqual(
        error.errors?.map(({ path }) => path),
        ['body.name'],
      );
    }
  });

for (const name of ['👨‍👩‍👧', 'שלום', '\u2068שלום\u2069 2020', '.', 'é'])
  test(`accepts ${JSON.stringify(name)} as a name`, async () => {
    assert.equal((await user.call('createAlbum', { body: { name } })).status, 201);
  });
