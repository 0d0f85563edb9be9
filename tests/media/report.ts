import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publishTable } from '@hearth/testkit/figures/publish.ts';
import { drawContactSheet, type Tile } from './contactSheet.ts';
import { withFreshHearth } from './freshHearth.ts';
import { importMedia, type Import } from './importMedia.ts';
import { listMediaFiles, missingMedia } from './manifest.ts';
import { evaluateImport, getLabel } from './mediaTable.ts';
import { writeReferences } from './writeReferences.ts';

/*
 * npm run report:media [-- --publish --sheets FOLDER --references --json]: uploads every test media file to Hearth, run like `npm
 * start`, and compares the results with the manifest. Exits with 1 on a regression.
 *
 *   --publish   writes the table, and the contact sheet of redistributable files, into the guide
 *   --sheets    writes contact sheets of everything into a folder, for a visual check
 *   --references  records the appearance of every file for later comparisons (needs `vipsthumbnail` and a visual check)
 *   --json      prints the totals as a last line of JSON
 */
const { values } = parseArgs({
  options: {
    publish: { type: 'boolean', default: false },
    sheets: { type: 'string' },
    references: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (missingMedia) throw new Error(missingMedia);

const { result: imported, deaths } = await withFreshHearth((library) =>
  importMedia(listMediaFiles(), library, console.log),
);
const { table, ...report } = evaluateImport(imported, deaths);
await publishTable('report:media', table, { publish: values.publish, page: 'media-report.md' });
const toTile = (each: Import['files'][number]): Tile => ({
  label: getLabel(each),
  bytes: each.uploaded.shown?.thumbnail?.bytes,
});
if (values.sheets !== undefined) {
  await mkdir(values.sheets, { recursive: true });
  const tiles = imported.files.map(toTile);
  const perSheet = 60;
  for (let from = 0; from < tiles.length; from += perSheet) {
    const sheet = await drawContactSheet(tiles.slice(from, from + perSheet), 10);
    await sheet.png().toFile(join(values.sheets, `sheet-${1 + from / perSheet}.png`));
  }
}
if (values.references) await writeReferences(imported, console.log);
if (values.publish) {
  const tiles = imported.files
    .filter(({ file, uploaded }) => file.isRedistributable && uploaded.shown?.thumbnail)
    .map(toTile);
  const sheet = await drawContactSheet(tiles, 10);
  await sheet.webp({ quality: 70 }).toFile(join(import.meta.dirname, '../../docs/docs/dev-guide/media-report.webp'));
}
const regressions = [...report.faults, ...report.missed];
for (const each of regressions) console.error(`regression: ${each}`);
if (regressions.length > 0) process.exitCode = 1;
if (values.json) console.log(JSON.stringify({ ...report, faults: report.faults.length, missed: report.missed.length }));
