import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { OriginalState } from '@hearth/contract/vocabulary.ts';
import { recordOriginalCheck } from '@hearth/core/originals/originalChecks.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Locator } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import { getDialog, getPictures, pressControl, signIn, waitForCount } from './testing/steps.ts';

const en = {
  DAMAGED: 'The original file is damaged. Upload it again to repair it.',
  MISSING: 'The original file is missing. Upload it again to restore it.',
} as const;
const de = {
  DAMAGED: 'Die Originaldatei ist beschädigt. Laden Sie sie erneut hoch, um sie zu reparieren.',
  MISSING: 'Die Originaldatei fehlt. Laden Sie sie erneut hoch, um sie wiederherzustellen.',
} as const;

suite('information panel, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  before(async () => {
    testContext = await startTestContext();
  });
  after(() => testContext?.close());

  test('warns only of a damaged or missing original, in English and German', async () => {
    const user = await testContext.createUser();
    await user.uploadFiles(await makePhotos(1));
    const { id } = await testContext.db
      .selectFrom('media_items')
      .select('id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    const set = (state: OriginalState) => recordOriginalCheck(testContext.db, id, { state, modifiedAt: undefined });
    const session = await testContext.openSession();
    const { page } = session;
    await signIn(page, user);
    await waitForCount(getPictures(page), 1);
    const open = async (label: string): Promise<Locator> => {
      await page.goto(`/?item=${id}`);
      await pressControl(getDialog(page), label);
      const panel = page.getByRole('complementary', { name: label });
      await panel.getByText('.jpg').waitFor();
      return panel;
    };
    for (const [language, label, texts] of [
      ['en', 'Information', en],
      ['de', 'Informationen', de],
    ] as const) {
      await page.evaluate((chosen) => localStorage.setItem('hearth-language', chosen), language);
      for (const state of ['DAMAGED', 'MISSING'] as const) {
        await set(state);
        await (await open(label)).getByText(texts[state]).waitFor();
      }
    }
    await set('OK');
    const panel = await open('Informationen');
    assert.equal(await panel.getByText(/Originaldatei/).count(), 0);
    await session.end();
  });
});
