import { test } from 'node:test';
import { builtSite } from '@hearth/scripts/site/builtSite.ts';
import { startTestHearth } from '@hearth/testkit/hearth/testHearth.ts';
import { getCredentials } from '@hearth/testkit/hearth/hearth.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { assertAccessible, openBrowserSession } from '@hearth/web/e2e/testing/browserSession.ts';
import { chromium } from 'playwright-core';
import { assertFits, serveSite } from './openSite.ts';

test('the reference sends requests to a Hearth of the same origin', { skip: missingTool('chromium') }, async (t) => {
  const { hearth } = await startTestHearth(t, { HEARTH_OFFLINE: '1' });
  const { folder } = await builtSite();
  const server = await serveSite(folder, 0, hearth.url);
  t.after(() => server.stop());
  const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
  t.after(() => browser.close());
  const visit = await openBrowserSession(browser, server.url, { width: 1_440 });
  const { page } = visit;
  const open = async (path: string): Promise<void> => {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.getByText('Try it').press('Enter');
  };
  const { username, password } = getCredentials(hearth);

  // Signs in, and keeps the token on the way to the next page.
  await open('/api/library/list-media-items');
  await assertAccessible(page);
  await assertFits(page);
  await page.getByLabel('User name', { exact: true }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('User name', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('limit').fill('1');
  await page.getByRole('button', { name: 'Send GET request' }).click();
  await page.getByText('200 OK').waitFor();

  await page
    .getByRole('link', { name: /Upload a photo or video/ })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: 'Upload a photo or video' }).waitFor();
  await page.getByText('Try it').press('Enter');
  const buffer = Buffer.from(await makeTestPhoto({ seed: 1, width: 96, height: 72 }));
  await page.getByLabel('File', { exact: true }).setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('button', { name: 'Send POST request' }).click();
  await page.getByText('201 Created').waitFor();
  const text = await page.locator('.tryIt pre').first().innerText();
  const { id } = JSON.parse(text) as { readonly id: string };

  // After a reload, the session in the browser's cookie continues.
  await open('/api/library/update-media-item');
  await page.getByRole('button', { name: /Use this browser/ }).click();
  await page.getByLabel('User name', { exact: true }).waitFor({ state: 'detached' });
  await page.getByLabel('id (required)').fill(id);
  await page.getByLabel('Body (JSON)').fill('{"description":"At the lake"}');
  await page.getByRole('button', { name: 'Send PUT request' }).press('Enter');
  await page.getByText('204 No Content').waitFor();
  await page.getByText('Headers').click();
  await page.getByText(/x-request-id: /).waitFor();

  // A pasted token works, too. The stream shows its first events until it is stopped.
  const token = await page.getByLabel('Access token').inputValue();
  await open('/api/library/watch-events');
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Send GET request' }).click();
  await page.getByText('event: ready').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  await visit.end();
});
