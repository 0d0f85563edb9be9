import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import { dropFiles } from './testing/dropFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser } from './testing/testUser.ts';
import { signIn, getUploadPanel } from './testing/steps.ts';
import { makeUploadFolder, type UploadFolder } from './testing/uploadFolder.ts';
import { startUploadProxy, type UploadProxy } from './testing/uploadProxy.ts';
import type { BrowserSession } from './testing/browserSession.ts';

/** Maximum overhead: headers, checks, and requests in progress when cut. */
const maxExtra = 0.03;

suite('interrupted uploads, in Chromium', { skip: missingTool('chromium') }, () => {
  let testContext: TestContext;
  let proxy: UploadProxy;
  let directory = '';
  before(async () => {
    // No worker: processing would only slow down the browser.
    testContext = await startTestContext({ workers: 0 });
    proxy = await startUploadProxy(testContext.api.url);
    directory = await mkdtemp(join(tmpdir(), 'hearth-uploads-'));
  });
  after(async () => {
    await proxy?.close();
    await testContext?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const openUploadSession = async (): Promise<{
    readonly user: TestUser;
    readonly session: BrowserSession;
    readonly page: Page;
  }> => {
    const user = await testContext.createUser();
    const session = await testContext.openSession({ url: proxy.url });
    session.expect(/net::ERR_|status of 50\d|Unable to preload CSS|error occurred when fetching the script/);
    await signIn(session.page, user);
    await session.page.getByRole('heading', { name: 'Add your first photos' }).waitFor();
    return { user, session, page: session.page };
  };
  /** Resolves when this share of the folder was sent, and holds all uploads until `proxy.release`. */
  const holdAfterShare = (folder: UploadFolder, part: number, before: number): Promise<void> =>
    proxy.holdAfter(before + part * folder.sizeBytes);

  test('uploads 500 files exactly once across a reload, cut connections and a killed server', async (t) => {
    const folder = await makeUploadFolder(join(directory, 'Ten years'), 500);
    const { user, session, page } = await openUploadSession();
    const before = proxy.sentBytes();
    await Promise.all([holdAfterShare(folder, 0.2, before), dropFiles(page, [folder.path])]);

    const reloaded = page.reload();
    proxy.release();
    await reloaded;
    await holdAfterShare(folder, 0.4, before);

    await proxy.cut();
    proxy.release();
    await getUploadPanel(page).getByText('Server unreachable. Uploads resume automatically').waitFor();
    await proxy.open();
    await holdAfterShare(folder, 0.6, before);

    await testContext.api.kill();
    proxy.release();
    await getUploadPanel(page).getByText('Server unreachable. Uploads resume automatically').waitFor();
    await testContext.api.restart();

    await page.getByRole('heading', { name: 'Uploads finished' }).waitFor();
    await assertStoredOnce(testContext.url, user, folder);
    const extra = (proxy.sentBytes() - before) / folder.sizeBytes - 1;
    t.diagnostic(`${(folder.sizeBytes / 1e6).toFixed(1)} MB, ${(100 * extra).toFixed(2)} % more were sent`);
    assert.ok(extra > 0 && extra <= maxExtra, `${100 * extra} % more were sent`);
    await session.end();
  });

  test('resumes after a reload when the same folder is chosen again, without sending files twice', async () => {
    const folder = await makeUploadFolder(join(directory, 'Weekend'), 40);
    const { user, session, page } = await openUploadSession();
    const before = proxy.sentBytes();
    // Files of an input are lost with the page.
    const chooser = page.getByLabel('Choose a folder to upload').first();
    await Promise.all([holdAfterShare(folder, 0.5, before), chooser.setInputFiles(folder.path)]);
    const reloaded = page.reload();
    proxy.release();
    await reloaded;
    await getUploadPanel(page).getByText('Drop the same files or folder here to resume').waitFor();
    await chooser.setInputFiles(folder.path);
    await page.getByRole('heading', { name: 'Uploads finished' }).waitFor();
    await assertStoredOnce(testContext.url, user, folder);
    // Three uploads were in progress, of the smallest files. Bytes that had not reached the server are sent again.
    const sent = proxy.sentBytes() - before;
    assert.ok(sent > folder.sizeBytes && sent < 1.2 * folder.sizeBytes, `${sent} of ${folder.sizeBytes} bytes`);
    await session.end();
  });
});

/** Checks through the API that each file exists once. */
const assertStoredOnce = async (
  url: string,
  { username, password }: TestUser,
  { checksums }: UploadFolder,
): Promise<void> => {
  const request = async (path: string, body?: object, token = ''): Promise<Response> =>
    fetch(new URL(path, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const { accessToken } = (await (await request('/v1/auth/login', { username, password })).json()) as {
    readonly accessToken: string;
  };
  const response = await request('/v1/mediaItems/check', { checksums }, accessToken);
  const { existing } = (await response.json()) as { readonly existing: Readonly<Record<string, string>> };
  assert.deepEqual(
    checksums.filter((checksum) => existing[checksum] === undefined),
    [],
  );
  assert.equal(new Set(Object.values(existing)).size, checksums.length);
  const items = await request('/v1/mediaItems?limit=1', undefined, accessToken);
  assert.equal(Number(items.headers.get('X-Total-Count')), checksums.length);
};
