import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';
import { isResponding, startReplica, type Replica } from '@hearth/testkit/servers/replica.ts';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { waitUntil } from '@hearth/testkit/run/waitUntil.ts';
import { chromium, type Browser } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { getPictures, sendSignIn, waitForCount } from './testing/steps.ts';
import { assertAccessible, openBrowserSession } from './testing/browserSession.ts';

/** Program of `npm start`. */
const program = fileURLToPath(new URL('../../api/src/embedded/main.ts', import.meta.url));

suite('first start, in Chromium', { skip: missingTool('chromium') }, () => {
  let directory: string;
  let url: string;
  let hearth: Replica;
  let browser: Browser;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hearth-first-'));
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    hearth = await startReplica({
      name: 'hearth',
      program,
      env: { HEARTH_DATA_DIR: join(directory, 'data'), HEARTH_PORT: String(port), ...placesFileVariable() },
      directory,
      isReady: () => isResponding(`${url}/readyz`),
    });
    browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
  });
  after(async () => {
    await browser?.close();
    // Ends like Ctrl-C, which also stops the database.
    await hearth?.end();
    await hearth?.stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  });

  const printed = async (): Promise<string> => (await hearth.log()).join('\n');

  test('prints a sign-in link that works once, and the passwords of the user and the administrator', async () => {
    await waitUntil('the instructions are printed', async () => /End +Ctrl-C/.test(await printed()));
    const link = /http:\S+\/welcome#\S+/.exec(await printed())?.[0];
    const [password, adminPassword] = [...(await printed()).matchAll(/^ {2}Password +(\S.*)$/gm)].map(
      ([, text]) => text,
    );
    assert.ok(link !== undefined && password !== undefined && adminPassword !== undefined, await printed());
    assert.ok((await printed()).includes(`${url}/admin`));

    const session = await openBrowserSession(browser, url);
    const { page } = session;
    await page.goto(link);
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await assertAccessible(page);
    await page
      .getByLabel('Choose files to upload')
      .first()
      .setInputFiles(await makePhotos(2));
    await waitForCount(getPictures(page, /^Photo, June \d, 2022$/), 2);

    // The hidden page also asks for the user name, which the link does not contain.
    await page.goto('/hidden');
    await page.getByLabel('User name').fill('family');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Show hidden photos' }).click();
    await page.getByText('Nothing hidden').waitFor();

    const second = await openBrowserSession(browser, url);
    second.expect(/401/);
    await second.page.goto(link);
    await second.page.getByRole('heading', { name: 'Link already used' }).waitFor();
    await assertAccessible(second.page);
    await second.page.getByRole('button', { name: 'Sign in' }).click();
    await sendSignIn(second.page, { username: 'family', password });
    await waitForCount(getPictures(second.page), 2);
    await second.end();

    await page.goto('/admin');
    await sendSignIn(page, { username: 'admin', password: adminPassword });
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    await session.end();
  });
});
