import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { dropFiles } from './testing/dropFiles.ts';
import { makePhotos } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { PickedFile } from './testing/testUser.ts';
import { getPictures, signIn, getUploadPanel, waitForCount } from './testing/steps.ts';
import { startUploadProxy } from './testing/uploadProxy.ts';
import { waitForServiceWorker, assertAccessible, type BrowserSession } from './testing/browserSession.ts';

suite('uploads, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  let directory = '';
  before(async () => {
    testContext = await startTestContext();
    directory = await mkdtemp(join(tmpdir(), 'hearth-uploads-'));
  });
  after(async () => {
    await testContext?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Writes files below the test folder and returns their paths. Names may contain folders. */
  const writeFiles = (
    files: readonly { readonly name: string; readonly buffer: Uint8Array }[],
    folder = '',
  ): Promise<string[]> =>
    Promise.all(
      files.map(async ({ name, buffer }) => {
        const path = join(directory, folder, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, buffer);
        return path;
      }),
    );
  const openNewUserSession = async (): Promise<BrowserSession> => {
    const session = await testContext.openSession();
    await signIn(session.page, await testContext.createUser());
    await session.page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    return session;
  };

  test('uploads a dropped folder recursively and reports files that are not photos', async () => {
    const [first, second, third] = await makePhotos(3);
    await writeFiles([
      { ...first!, name: 'Trip/first.jpg' },
      { ...second!, name: 'Trip/day 2/second.jpg' },
      { ...third!, name: 'Trip/day 2/evening/third.jpg' },
      { name: 'Trip/notes.txt', buffer: Buffer.from('What we saw.') },
      { name: 'Trip/broken.jpg', buffer: Buffer.from('No photo at all.') },
      { name: 'Trip/Thumbs.db', buffer: Buffer.from('nobody’s photo') },
    ]);
    const session = await openNewUserSession();
    const { page } = session;
    await dropFiles(page, [join(directory, 'Trip')]);
    await waitForCount(getPictures(page, /^Photo, June \d, 2022$/), 3);
    await page.getByRole('heading', { name: 'Uploads finished' }).waitFor();
    await page.getByRole('button', { name: 'Show list' }).click();
    await page.getByRole('tab', { name: 'Done (3)' }).waitFor();
    await page.getByRole('tab', { name: 'Not uploaded (2)' }).click();
    await waitForCount(page.getByText('Not a photo or video'), 2);
    await assertAccessible(page);
    await session.end();
  });

  test('recognizes the same files dropped individually, and sends nothing', async () => {
    const photos = await makePhotos(2);
    const paths = await writeFiles(photos, 'loose');
    const session = await openNewUserSession();
    const { page } = session;
    await dropFiles(page, paths);
    await waitForCount(getPictures(page), 2);
    await page.getByText('2 added').waitFor();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/uploads')) sent.push(request.url());
    });
    await dropFiles(page, paths);
    await page
      .getByText('2 already in your library')
      .waitFor()
      .catch(async (error: unknown) => {
        throw new Error(`The page shows: ${await page.locator('body').innerText()}`, { cause: error });
      });
    assert.deepEqual(sent, []);
    await session.end();
  });

  test('uploads a pasted picture', async () => {
    const session = await openNewUserSession();
    const { context, page } = session;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const picture = await makeTestPhoto({ seed: 41, format: 'png' });
    await page.evaluate(
      async (bytes) => {
        const blob = new Blob([new Uint8Array(bytes)], { type: 'image/png' });
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      },
      [...picture],
    );
    await page.keyboard.press('Control+V');
    await waitForCount(getPictures(page, /^Photo, /), 1);
    await session.end();
  });

  test('uploads a folder chosen by keyboard in browsers without a folder picker', async () => {
    await writeFiles(await makePhotos(2), 'Chosen');
    const session = await testContext.openSession();
    const { context, page } = session;
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'showDirectoryPicker'));
    await signIn(page, await testContext.createUser());
    await page.getByRole('banner').getByRole('button', { name: 'Upload' }).press('Enter');
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Folder …' }).press('Enter');
    await (await fileChooser).setFiles(join(directory, 'Chosen'));
    await waitForCount(getPictures(page, /^Photo, June \d, 2022$/), 2);
    await session.end();
  });

  test('uploads files shared from another app only after confirmation', async () => {
    const session = await openNewUserSession();
    const { page } = session;
    await waitForServiceWorker(page);
    await page.reload();
    await shareByForm(page, '/share-target', await makePhotos(2));
    await page.getByText('Upload these 2 files to your library?').waitFor();
    await waitForCount(page.locator('main img[src^="blob:"]'), 2);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was uploaded').waitFor();

    await shareByForm(page, '/share-target', await makePhotos(1));
    await page.getByText('Upload this file to your library?').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText('Uploading 1 file').waitFor();
    await page.getByRole('link', { name: 'Go to photos' }).click();
    await waitForCount(getPictures(page, 'Photo, June 1, 2022'), 1);
    await session.end();
  });

  test('uploads nothing posted by another site, with or without a referrer', async () => {
    const session = await openNewUserSession();
    const { page } = session;
    await waitForServiceWorker(page);
    await page.reload();
    const otherSite = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<meta name="referrer" content="origin">'),
    );
    otherSite.listen(0, '127.0.0.1');
    await once(otherSite, 'listening');
    const origin = `http://localhost:${(otherSite.address() as AddressInfo).port}`;
    session.expect(/request elsewhere|favicon/);
    try {
      await page.goto(origin);
      await shareByForm(page, `${testContext.url}/share-target`, await makePhotos(1));
      await page.waitForURL(`${testContext.url}/`);
      await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
      await page.goto('/share-target');
      await page.getByText('Nothing new was shared').waitFor();

      await page.goto(origin);
      await page.evaluate(() => document.querySelector('meta')?.setAttribute('content', 'no-referrer'));
      await shareByForm(page, `${testContext.url}/share-target`, await makePhotos(1));
      await page.getByText('Upload this file to your library?').waitFor();
      await page.goto('/');
      await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    } finally {
      otherSite.close();
      otherSite.closeAllConnections();
    }
    await session.end();
  });

  test('resumes a large upload after the server was killed', async () => {
    await using closing = new AsyncDisposableStack();
    const proxy = await startUploadProxy(testContext.api.url);
    closing.defer(() => proxy.close());
    const [photo] = await makePhotos(1);
    const large = Buffer.concat([photo!.buffer, Buffer.alloc(64 * 2 ** 20, 1)]);
    const [path] = await writeFiles([{ name: 'large.jpg', buffer: large }]);
    const session = await testContext.openSession({ url: proxy.url });
    const { page } = session;
    session.expect(/net::ERR_|status of 50\d|error occurred when fetching the script/);
    await signIn(page, await testContext.createUser());
    await page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    const held = proxy.holdAfter(56 * 2 ** 20);
    await dropFiles(page, [path!]);
    await held;
    await waitForReceived(testContext, 48 * 2 ** 20);
    await testContext.api.kill();
    await getUploadPanel(page).getByText('Server unreachable. Uploads resume automatically').waitFor();
    proxy.release();
    await testContext.api.restart();
    await waitForCount(getPictures(page, 'Photo, June 1, 2022'), 1);
    // The incomplete chunk of 8 MiB is sent again. A restart would repeat 56 MiB.
    assert.ok(proxy.sentBytes() < large.length + 9 * 2 ** 20, `${proxy.sentBytes()} bytes were sent`);
    await session.end();
  });
});

/** Resolves once the server has stored this many bytes of an upload. */
const waitForReceived = async ({ db }: TestContext, bytes: number): Promise<void> => {
  const receivedUploads = db.selectFrom('uploads').select('id').where('received_bytes', '>=', bytes);
  while ((await receivedUploads.execute()).length === 0) await setTimeout(50);
};

/** Submits a form with files, like a phone’s share sheet or a malicious page. */
const shareByForm = async (page: Page, action: string, files: readonly PickedFile[]): Promise<void> => {
  const sent = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] }));
  await page.evaluate(
    ({ address, parts }) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, bytes } of parts)
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
      input.files = transfer.files;
      const form = Object.assign(document.createElement('form'), {
        action: address,
        method: 'post',
        enctype: 'multipart/form-data',
      });
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    { address: action, parts: sent },
  );
};
