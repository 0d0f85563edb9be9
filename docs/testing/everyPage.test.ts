import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Page } from 'playwright-core';
import {
  assertClean,
  countShifts,
  everyPage,
  loadedBytes,
  lookAt,
  looksOfSpecified,
  mostBytes,
  repeated,
  widths,
} from './lookAtPage.ts';
import { openSite, type OpenSite } from './openSite.ts';
import { docsRoutes, otherRoutes } from './routes.ts';

const missing = missingTool('chromium');
const needs = { skip: missing };

let site: OpenSite;
before(async () => {
  if (missing === false) site = await openSite();
});
after(() => site?.close());

/** How long something on a page may take, on a busy machine: its files come from this one. */
const patienceMs = 120_000;

/** One visit in which many pages are opened, each by its address; what the console says of any of them fails the test. */
const visitingMany = async (look: (page: Page) => Promise<void>): Promise<void> => {
  const visit = await site.visit();
  visit.context.setDefaultTimeout(patienceMs);
  await countShifts(visit.context);
  await visit.page.goto('/markdown-page');
  await look(visit.page);
  await visit.end();
};

const specified = [...Object.keys(otherRoutes), ...docsRoutes];

/** Tests that share the pages. On a busy machine, one test of all pages would time out. */
const parts = 4;

const isInPart = (part: number) => (_: unknown, index: number) => index % parts === part;

const testParts = (name: string, look: (page: Page, part: number) => Promise<void>): void => {
  for (let part = 0; part < parts; part++)
    test(`${name} (${part + 1} of ${parts})`, () => visitingMany((page) => look(page, part)));
};

// Two at a time: one after the other they take longer than any other file.
suite('pages are accessible, keep still, and come with 300 kB at most', { ...needs, concurrency: 2 }, () => {
  testParts('each of the specification, small and large, light and dark', async (page, part) => {
    for (const path of specified.filter(isInPart(part))) {
      for (const [index, look] of looksOfSpecified.entries()) {
        await lookAt(page, path, look);
        if (index === 0) {
          const bytes = await loadedBytes(page, site.folder);
          assert.ok(bytes > 100_000 && bytes <= mostBytes, `${path}: ${bytes} bytes`);
        }
        // Colours are the same in each window, and at 996 pixels there is what there is at 360.
        if (index === 0 || index === looksOfSpecified.length - 1) await assertClean(page, { without: repeated });
      }
    }
  });

  testParts('every other one, each in one of these windows and colours', async (page, part) => {
    const looks = widths.flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));
    const others = everyPage(site.folder).filter(
      (path) => !specified.includes(path) && path !== '/api' && path !== '/docs',
    );
    assert.ok(others.length > 80 && others.includes('/search'));
    for (const [index, path] of others.entries()) {
      if (!isInPart(part)(path, index)) continue;
      await lookAt(page, path, looks[index % looks.length]!);
      // Their colours are those of the pages above, and decisions and alerts are each as the others of their kind: axe takes longer than everything else.
      if (index % 3 === 0 || !/\/(?:decisions|alerts)\//.test(path)) await assertClean(page, { hasColours: false });
      const bytes = await loadedBytes(page, site.folder);
      assert.ok(bytes <= mostBytes, `${path}: ${bytes} bytes`);
    }
  });
});
