import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { colourShare, type Colour } from '@hearth/testkit/pictures/colourShare.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Locator, Page } from 'playwright-core';
import { makePhotos } from './testing/familyFiles.ts';
import { openHome, type Home } from './testing/openHome.ts';
import type { Person } from './testing/person.ts';
import { signIn } from './testing/steps.ts';
import { startTileServer, tileColour, type TileServer } from './testing/tileServer.ts';
import { assertAccessible, type Visit } from './testing/visit.ts';
import { writePlaces } from './testing/writePlaces.ts';

/** Colour of land in the outlines: `--map-land` of the light theme. */
const landColour: Colour = [244, 239, 231];

/** Timeout for a map to render on a busy machine, in ms. */
const patienceMs = 60_000;

/** Values of `HEARTH_MAP_TILES_URL` by kind. */
const kinds = [
  { name: 'a template of tiles', path: '/{z}/{x}/{y}.png' },
  { name: 'a whole style', path: '/style.json' },
] as const;

for (const { name, path } of kinds) {
  suite(`a map of an operator's tile server, ${name}, in Chromium`, { skip: missingTool('chromium') }, () => {
    let tiles: TileServer;
    let elsewhere: TileServer;
    let home: Home;
    let person: Person;
    before(async () => {
      [tiles, elsewhere] = await Promise.all([startTileServer(), startTileServer()]);
      home = await openHome({ env: { HEARTH_MAP_TILES_URL: tiles.url + path } });
      person = await home.addPerson();
      await person.store(await makePhotos(1));
      // Near the centre of the initial view, so that it stays visible after zooming in.
      await writePlaces(home, person, [{ latitude: 30, longitude: 10 }]);
    });
    after(async () => {
      await home?.close();
      await tiles?.stop();
      await elsewhere?.stop();
    });

    test('requests only tiles, only from the configured server, without personal data', async () => {
      const visit = await visitOf(home, tiles);
      const { page } = visit;
      await signIn(page, person);
      assert.equal(tiles.asked.length, 0, 'a page without a map has asked');
      await page.goto('/places');
      await waitForColour(page, tileColour, 0.5);
      if (path === '/style.json') await mapOf(page).getByRole('link', { name: '© Tiles of the house' }).waitFor();
      await assertAccessible(page);
      for (const { path: asked, headers } of tiles.asked) {
        assert.ok(asked === '/style.json' || /^\/\d+\/\d+\/\d+\.png$/.test(asked), asked);
        assert.deepEqual([headers.cookie, headers.authorization, headers.referer], [undefined, undefined, undefined]);
      }

      // The policy permits no other origin.
      const policy = (await page.request.get('/')).headers()['content-security-policy'] ?? '';
      assert.deepEqual([...new Set(policy.match(/https?:[^\s;]+/g))], [tiles.url]);
      visit.expect(/Content Security Policy/);
      assert.equal(await page.evaluate(tryToFetch, `${elsewhere.url}/1/0/0.png`), 'refused');
      assert.equal(elsewhere.asked.length, 0);
      await visit.end();
    });

    test('falls back to the outlines while the tile server is down', async () => {
      await tiles.stop();
      const visit = await visitOf(home, tiles);
      const { page } = visit;
      visit.expect(/ERR_CONNECTION_REFUSED|Failed to fetch/);
      await signIn(page, person, '/places');
      await waitForColour(page, landColour, 0.1);
      const map = mapOf(page);
      await map.getByRole('button', { name: 'Zoom in' }).click();
      await page.waitForURL((url) => url.searchParams.has('map'));
      await map.getByRole('button', { name: '1 photo', exact: true }).click();
      await page.getByRole('dialog').getByRole('img').first().waitFor();
      await visit.end();
    });
  });
}

/** Opens a browser that permits requests to the tile server. */
const visitOf = async (home: Home, tiles: TileServer): Promise<Visit> => {
  const visit = await home.visit();
  visit.expect(new RegExp(`^request elsewhere: ${tiles.url}/(style\\.json|\\d+/\\d+/\\d+\\.png)$`));
  return visit;
};

const mapOf = (page: Page): Locator => page.getByRole('group', { name: 'Map of your photos' });

/** Resolves when a share of the map's pixels has a colour. @throws AssertionError after a timeout */
const waitForColour = async (page: Page, colour: Colour, part: number): Promise<void> => {
  const end = Date.now() + patienceMs;
  await mapOf(page).locator('canvas').waitFor();
  for (;;) {
    const found = await colourShare(await mapOf(page).screenshot(), colour);
    if (found >= part) return;
    assert.ok(Date.now() < end, `only ${found} of the map is ${colour.join(', ')}`);
  }
};

/** Runs in the page. */
const tryToFetch = (address: string): Promise<string> =>
  fetch(address).then(
    () => 'answered',
    () => 'refused',
  );
