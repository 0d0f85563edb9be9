import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { makeStartOptions } from '@hearth/testkit/hearth/hearth.ts';
import { describeMachine, saveFigures, publishTable, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { measureUploads, type UploadsResult } from './measureUploads.ts';

/*
 * npm run bench:upload [-- --files 20000 --publish]: measures the cost in the page of dropping a folder with many
 * photos. `--json PATH` writes all figures. Exits with 1 if a bound is missed.
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});

const tenYearsMs = 10 * 365 * 24 * 60 * 60 * 1_000;

/** Limit of a task in ms, and of the tab's memory in MB. */
const bounds = { taskMs: 200, megabytes: 500 } as const;

/**
 * Generates the smallest possible photos, because the page's work depends on the number of files and not on their size.
 * Their modification times span ten years until today. Hearth uses that time for photos without EXIF dates.
 */
const makePhotos = async (directory: string, count: number): Promise<string> => {
  const path = join(directory, 'Ten years');
  const photo = await makeTestPhoto({ seed: 1, width: 64, height: 48 });
  await mkdir(path);
  for (let index = 0; index < count; index += 1) {
    const file = join(path, `IMG_${index}.JPG`);
    await writeFile(file, Buffer.concat([photo, Buffer.from(String(index))]));
    const changedAt = new Date(Date.now() - ((count - index) / count) * tenYearsMs);
    await utimes(file, changedAt, changedAt);
  }
  return path;
};

const measure = async (files: number): Promise<UploadsResult> => {
  await using closing = new AsyncDisposableStack();
  const directory = await makeFolder('bench-upload');
  closing.defer(() => removeFolder(directory));
  const path = await makePhotos(directory, files);
  const database = await createMigratedDatabase();
  closing.defer(() => database.drop());
  const env = { ...makeStartOptions(), HEARTH_LOG_LEVEL: 'warn' };
  const installation = await startInstallation({ directory, databaseUrl: database.url, env, apis: 1, workers: 0 });
  closing.defer(() => installation.stop());
  const { url } = installation.apis[0]!;
  const credentials = await createUser(url, installation.admin);
  const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
  closing.defer(() => browser.close());
  console.log(`generated ${files.toLocaleString('en')} files`);
  // `await` keeps the resources open until the measurement is done.
  return await measureUploads(browser, url, credentials, { path, files });
};

const megabytes = (value: number): string => `${Math.round(value)} MB`;

const describe = ({ files, longTasksMs, memory, foundSeconds, doneSeconds }: UploadsResult): string =>
  [
    `${formatToday()}: headless Chromium without CPU throttling, 1440 × 900 pixels; the upload list is open and no worker runs; ${describeMachine()}.`,
    '',
    renderRow('', 'target', `${files.toLocaleString('en')} files`),
    renderRow('---', '---:', '---:'),
    renderRow('longest main-thread task', `≤ ${bounds.taskMs} ms`, `${Math.round(Math.max(0, ...longTasksMs))} ms`),
    renderRow('main-thread tasks over 50 ms', '', String(longTasksMs.length)),
    renderRow('memory of the tab, before the drop', '', megabytes(memory.before.shown)),
    renderRow('memory of the tab, maximum', `≤ ${megabytes(bounds.megabytes)}`, megabytes(memory.highest.shown)),
    renderRow('memory of the tab, maximum (PSS)', '', megabytes(memory.highest.pss)),
    renderRow('memory of the tab, at the end', '', megabytes(memory.after.shown)),
    renderRow('from the drop until all files are found', '', `${foundSeconds.toFixed(1)} s`),
    renderRow('from the drop until all files are uploaded', '', `${Math.round(doneSeconds)} s`),
  ].join('\n');

const result = await measure(Number(values.files));
await saveFigures(values.json, { result });
await publishTable('bench:upload', describe(result), values);
const hasMissedBounds =
  Math.max(0, ...result.longTasksMs) > bounds.taskMs || result.memory.highest.shown > bounds.megabytes;
if (hasMissedBounds) console.error('missed: a bound of the table');
process.exit(hasMissedBounds ? 1 : 0);
