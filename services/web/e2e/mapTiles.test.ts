import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { colourShare, type Colour } from '@hearth/testkit/pictures/colourShare.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Locator, Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { startTestContext, type TestContext } from './testing/startTestContext.ts';
import type { TestUser } from './testing/testUser.ts';
import { signIn } from './testing/steps.ts';
import { startTileServer, tileColour, type TileServer } from './testing/tileServer.ts';
import { assertAccessible, type BrowserSession } from './testing/browserSession.ts';
import { writePlaces } from './testing/writePlaces.ts';

/** Colour of land in the outlines: `--map-land` of the light theme. */
const landColour: Colour = [244, 239, 231];

/** Timeout for a map to render on a busy machine, in ms. */
const timeoutMs = 60_000;

/** Values of `HEARTH_MAP_TILES_URL` by kind. */
const kinds = [
  { name: 'tile template', path: '/{z}/{x}/{y}.png' },
  { name: 'complete style', path: '/style.json' },
] as const;

for (const { name, path } of kinds) {
  suite(`map from an operator's tile server, ${name}, in Chromium`, { skip: missingTool('chromium') }, () => {
    let tiles: TileServer;
    let elsewhere: TileServer;
    let testContext: TestContext;
    let user: TestUser;
    before(async () => {
      [tiles, elsewhere] = await Promise.all([startTileServer(), startTileServer()]);
      testContext = await startTestContext({ env: { HEARTH_MAP_TILES_URL: tiles.url + path } });
      user = await testContext.createUser();
      await user.uploadFiles(await makePhotos(1));
      // Near the centre of the initial view, so that it stays visible after zooming in.
      await writePlaces(testContext, user, [{ latitude: 30, longitude: 10 }]);
    });
    after(async () => {
      await testContext?.close();
      await tiles?.stop();
      await elsewhere?.stop();
    });

    test('requests only tiles, only from the configured server, without personal data', async () => {
      const session = await openSession(testContext, tiles);
      const { page } = session;
      await signIn(page, user);
      assert.equal(tiles.requests.length, 0, 'a page without a map requested tiles');
      await page.goto('/places');
      await waitForColour(page, tileColour, 0.5);
      if (path === '/style.json') await getMap(page).getByRole('link', { name: '© Tiles of the house' }).waitFor();
      await assertAccessible(page);
      for (const { path: requestedPath, headers } of tiles.requests) {
        assert.ok(requestedPath === '/style.json' || /^\/\d+\/\d+\/\d+\.png$/.test(requestedPath), requestedPath);
        assert.deepEqual([headers.cookie, headers.authorization, headers.referer], [undefined, undefined, undefined]);
      }

      // The policy permits no other origin.
      const policy = (await page.request.get('/')).headers()['content-security-policy'] ?? '';
      assert.deepEqual([...new Set(policy.match(/https?:[^\s;]+/g))], [tiles.url]);
      session.expect(/Content Security Policy/);
      assert.equal(await page.evaluate(tryToFetch, `${elsewhere.url}/1/0/0.png`), 'refused');
      assert.equal(elsewhere.requests.length, 0);
      await session.end();
    });

    test('falls back to the outlines while the tile server is down', async () => {
      await tiles.stop();
      const session = await openSession(testContext, tiles);
      const { page } = session;
      session.expect(/ERR_CONNECTION_REFUSED|Failed to fetch/);
      await signIn(page, user, '/places');
      await waitForColour(page, landColour, 0.1);
      const map = getMap(page);
      await map.getByRole('button', { name: 'Zoom in' }).click();
      await page.waitForURL((url) => url.searchParams.has('map'));
      await map.getByRole('button', { name: '1 photo', exact: true }).click();
      await page.getByRole('dialog').getByRole('img').first().waitFor();
      await session.end();
    });
  });
}

/** Opens a browser that permits requests to the tile server. */
const openSession = async (testContext: TestContext, tiles: TileServer): Promise<BrowserSession> => {
  const session = await testContext.openSession();
  session.expect(new RegExp(`^request elsewhere: ${tiles.url}/(style\\.json|\\d+/\\d+/\\d+\\.png)$`));
  return session;
};

const getMap = (page: Page): Locator => page.getByRole('group', { name: 'Map of your photos' });

/** Resolves when at least `minShare` of the map's pixels have a colour. @throws AssertionError after a timeout */
const waitForColour = async (page: Page, colour: Colour, minShare: number): Promise<void> => {
  const end = Date.now() + timeoutMs;
  await getMap(page).locator('canvas').waitFor();
  for (;;) {
    const found = await colourShare(await getMap(page).screenshot(), colour);
    if (found >= minShare) return;
    assert.ok(Date.now() < end, `only ${found} of the map is ${colour.join(', ')}`);
  }
};

/** Runs in the page. */
const tryToFetch = (address: string): Promise<string> =>
  fetch(address).then(
    () => 'allowed',
    () => 'refused',
  );
