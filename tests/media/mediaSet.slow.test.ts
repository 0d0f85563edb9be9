import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import type { Library } from '@hearth/testkit/hearth/hearth.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import {
  runQueries,
  describeMisses,
  searchQueryList,
  nameTestPeople,
  getFoundShare,
  minShare,
} from '@hearth/load-tests/quality/searchQueries.ts';
import { openLibraryClient } from '@hearth/load-tests/quality/libraryClient.ts';
import { comparePeople, compareThings, findUnreadTexts } from './expectedLists.ts';
import { withFreshHearth } from './freshHearth.ts';
import { importMedia, type Import } from './importMedia.ts';
import { missingMedia, listMediaFiles, type MediaFile } from './manifest.ts';
import { evaluateImport } from './mediaTable.ts';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { searchModelNames } from '@hearth/core/config/searchModels.ts';
import { getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { needsGivenModels } from '@hearth/testkit/models/testModels.ts';

const data = getTestDataFolder('models');
const modelFolder = process.env['HEARTH_MODEL_DIR'];

/** Skip reason for `test(name, { skip: hasNoClip }, …)`, or false if the default search model is available. */
const hasNoClip =
  modelFolder !== undefined && existsSync(join(modelFolder, searchModelNames[0])) ? false : needsGivenModels;

/**
 * Returns variables for an installation with the models of the test data and of HEARTH_MODEL_DIR, without downloads.
 * @param folder an empty folder
 */
const modelVariables = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const linked = join(folder, 'linked-models');
  await mkdir(linked, { recursive: true });
  for (const source of [data, ...(hasNoClip === false ? [modelFolder!] : [])])
    for (const entry of await readdir(source, { withFileTypes: true }))
      if (entry.isDirectory() && !existsSync(join(linked, entry.name)))
        await symlink(join(source, entry.name), join(linked, entry.name));
  return { HEARTH_MODEL_DIR: linked, HEARTH_OFFLINE: '1' };
};

/** Test timeout in ms, higher than usual because other tests run in parallel. */
const timeout = 1_200_000;

test(
  'every test media file gives the expected API result except for known shortfalls, and no process dies',
  { skip: needsLinux.skip || missingMedia, timeout },
  async (t) => {
    const models = await makeFolder('media-models');
    t.after(() => removeFolder(models));
    const files = listMediaFiles();
    const { result: imported, deaths } = await withFreshHearth(
      async (library) => {
        const result = await importMedia(files, library, (doing) => t.diagnostic(doing));
        await testRecognition(t, library, files, result);
        return result;
      },
      { env: await modelVariables(models) },
    );
    const { faults, missed, files: judged, values, agreeing } = evaluateImport(imported, deaths);
    // CPU and memory bounds are checked by `npm run report:media` on an idle machine, not here.
    t.diagnostic(JSON.stringify({ files: judged, values, agreeing, missed }));
    assert.deepEqual(faults, []);
  },
);

/** Tests recognition results in the same installation. */
const testRecognition = async (
  t: TestContext,
  { url, credentials }: Library,
  files: readonly MediaFile[],
  imported: Import,
): Promise<void> => {
  const library = await openLibraryClient(url, credentials);
  const names = new Map<string, string[]>();
  for (const { file, uploaded } of imported.files) {
    const id = uploaded.shown?.item.id;
    if (id !== undefined) names.set(id, [...(names.get(id) ?? []), file.name]);
  }

  await t.test('lists the things a person sees in the test media and few others', async (each) => {
    const { precision, recall, wrong, missed } = await compareThings(library, names);
    each.diagnostic(JSON.stringify({ precision, recall, wrong, missed }));
    assert.ok(precision >= 0.85, `${precision}: ${wrong.join('; ')}`);
    assert.ok(recall >= 0.7, `${recall}: ${missed.join('; ')}`);
  });

  await t.test('lists each person of the test media once', async () => {
    const { identities, missed, mixed } = await comparePeople(library, names, files);
    assert.ok(identities > 5);
    assert.deepEqual({ missed, mixed }, { missed: [], mixed: [] });
  });

  await t.test('finds the texts of the test media in their pictures', async () =>
    assert.deepEqual(await findUnreadTexts(library, names, files), []),
  );

  const identities = new Map(files.map(({ name, expected }) => [name, expected.person]));
  await nameTestPeople(library, names, (file) => identities.get(file));
  const { queries } = searchQueryList;
  for (const [title, selected, skip] of [
    ['nine of ten held-out queries find an expected item', queries.filter(({ needs }) => needs === undefined), false],
    ['nine of ten held-out queries find an expected item, including those that need CLIP', queries, hasNoClip],
  ] as const)
    await t.test(title, { skip }, async (each) => {
      const queryResults = await runQueries(library, names, selected);
      each.diagnostic(
        `${queryResults.length} queries, ${getFoundShare(queryResults).toFixed(2)} answered: ${describeMisses(queryResults)}`,
      );
      assert.ok(getFoundShare(queryResults) >= minShare, describeMisses(queryResults));
    });
};
