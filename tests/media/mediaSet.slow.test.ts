import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import type { Library } from '@hearth/testkit/hearth/hearth.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import {
  askQueries,
  describeMisses,
  heldList,
  namePeople,
  shareOf,
  wantedShare,
} from '@hearth/load-tests/quality/heldQueries.ts';
import { openLibrary } from '@hearth/load-tests/quality/openLibrary.ts';
import { comparePeople, compareThings, findUnreadTexts } from './expectedLists.ts';
import { withFreshHearth } from './freshHearth.ts';
import { importMedia, type Import } from './importMedia.ts';
import { lacksMedia, listMediaFiles, type MediaFile } from './manifest.ts';
import { judgeImport } from './mediaTable.ts';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { searchModelNames } from '@hearth/core/config/searchModels.ts';
import { testDataFolder } from '@hearth/testkit/run/testData.ts';
import { needsGivenModels } from '@hearth/testkit/models/testModels.ts';

const data = testDataFolder('models');
const given = process.env['HEARTH_MODEL_DIR'];

/** For `test(name, { skip: lacksClip }, …)`: the reason, or false where somebody has given the default model of search. */
const lacksClip = given !== undefined && existsSync(join(given, searchModelNames[0])) ? false : needsGivenModels;

/** Variables of an installation with the models of the test data, and those that somebody has given; it fetches none. @param folder an empty one */
const modelVariables = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const linked = join(folder, 'linked-models');
  await mkdir(linked, { recursive: true });
  for (const source of [data, ...(lacksClip === false ? [given!] : [])])
    for (const entry of await readdir(source, { withFileTypes: true }))
      if (entry.isDirectory() && !existsSync(join(linked, entry.name)))
        await symlink(join(source, entry.name), join(linked, entry.name));
  return { HEARTH_MODEL_DIR: linked, HEARTH_OFFLINE: '1' };
};

/** Milliseconds: longer than other tests may take, on a machine that runs others beside it. */
const timeout = 1_200_000;

test(
  'every file of the test media comes out of the API as it should, but for the known shortfalls, and no process dies',
  { skip: needsLinux.skip || lacksMedia, timeout },
  async (t) => {
    const models = await makeFolder('media-models');
    t.after(() => removeFolder(models));
    const files = listMediaFiles();
    const { result: imported, deaths } = await withFreshHearth(
      async (library) => {
        const result = await importMedia(files, library, (doing) => t.diagnostic(doing));
        await testWhatIsFound(t, library, files, result);
        return result;
      },
      { env: await modelVariables(models) },
    );
    const { faults, missed, files: judged, values, agreeing } = judgeImport(imported, deaths);
    // What it takes is for `npm run report:media` on a machine with nothing else to do.
    t.diagnostic(JSON.stringify({ files: judged, values, agreeing, missed }));
    assert.deepEqual(faults, []);
  },
);

/** Looks, in the same installation, at what was found in the pictures. */
const testWhatIsFound = async (
  t: TestContext,
  { url, credentials }: Library,
  files: readonly MediaFile[],
  imported: Import,
): Promise<void> => {
  const library = await openLibrary(url, credentials);
  const names = new Map<string, string[]>();
  for (const { file, uploaded } of imported.files) {
    const id = uploaded.shown?.item.id;
    if (id !== undefined) names.set(id, [...(names.get(id) ?? []), file.name]);
  }

  await t.test('the things that a person sees in the test media are listed, and hardly any others', async (each) => {
    const { precision, recall, wrong, missed } = await compareThings(library, names);
    each.diagnostic(JSON.stringify({ precision, recall, wrong, missed }));
    assert.ok(precision >= 0.85, `${precision}: ${wrong.join('; ')}`);
    assert.ok(recall >= 0.7, `${recall}: ${missed.join('; ')}`);
  });

  await t.test('the people on the test media are listed, each as one person', async () => {
    const { identities, missed, mixed } = await comparePeople(library, names, files);
    assert.ok(identities > 5);
    assert.deepEqual({ missed, mixed }, { missed: [], mixed: [] });
  });

  await t.test('the texts in the test media are found where they stand', async () =>
    assert.deepEqual(await findUnreadTexts(library, names, files), []),
  );

  const identities = new Map(files.map(({ name, expected }) => [name, expected.person]));
  await namePeople(library, names, (file) => identities.get(file));
  const { queries } = heldList;
  for (const [title, asking, skip] of [
    ['nine of ten held queries find what is expected', queries.filter(({ needs }) => needs === undefined), false],
    ['nine of ten held queries find what is expected, of those that need CLIP too', queries, lacksClip],
  ] as const)
    await t.test(title, { skip }, async (each) => {
      const asked = await askQueries(library, names, asking);
      each.diagnostic(`${asked.length} queries, ${shareOf(asked).toFixed(2)} answered: ${describeMisses(asked)}`);
      assert.ok(shareOf(asked) >= wantedShare, describeMisses(asked));
    });
};
