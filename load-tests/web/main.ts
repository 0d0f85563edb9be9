import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { headlessOptions } from '@hearth/testkit/servers/chromium.ts';
import { fillDatabase } from '@hearth/testkit/libraries/fillDatabase.ts';
import { startInstallation } from '@hearth/testkit/servers/installation.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { chromium } from 'playwright-core';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { makeStartOptions } from '@hearth/testkit/hearth/hearth.ts';
import { saveFigures, publishTable } from '@hearth/testkit/figures/publish.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { measureWeb, type WebResult } from './measureWeb.ts';
import { startPictureProxy, storePictures } from './pictureProxy.ts';
import { measureTabMemory } from './tabMemory.ts';
import { missedInWeb, webTable } from './webTable.ts';

/*
 * npm run bench:web [-- --sizes 10000,1000000 --navigations 5 --presses 20 --fling 60 --slowdown 4 --publish]: measures
 * the timeline in Chromium, relative to an empty page, in libraries of several sizes. `--json PATH` writes all figures.
 * Exits with 1 if a bound is missed.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    navigations: { type: 'string', default: '5' },
    presses: { type: 'string', default: '20' },
    fling: { type: 'string', default: '60' },
    slowdown: { type: 'string', default: '4' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const measure = {
  navigations: Number(values.navigations),
  presses: Number(values.presses),
  flingSeconds: Number(values.fling),
  slowdown: Number(values.slowdown),
};

const measureLibrary = async (size: number): Promise<WebResult> => {
  await using closing = new AsyncDisposableStack();
  const directory = await makeFolder('bench-web');
  closing.defer(() => removeFolder(directory));
  const database = await createMigratedDatabase();
  closing.defer(() => database.drop());
  const env = { ...makeStartOptions(), HEARTH_LOG_LEVEL: 'warn' };
  const installation = await startInstallation({ directory, databaseUrl: database.url, env, apis: 1, workers: 0 });
  closing.defer(() => installation.stop());
  const [api] = installation.apis;
  const credentials = await createUser(api!.url, installation.admin);
  await fillDatabase(database.url, [{ userId: credentials.id, items: size }]);
  await storePictures(join(directory, 'data', 'objects'), credentials.id);
  const proxy = await startPictureProxy(api!.url);
  closing.defer(() => proxy.close());
  const name = `${size.toLocaleString('en')} items`;
  console.log(`filled ${name}`);
  const browser = await chromium.launch({ executablePath: toolPath('chromium'), args: [...headlessOptions] });
  closing.defer(() => browser.close());
  // `await` keeps the resources open until the measurement is done.
  return await measureWeb(browser, { name, url: proxy.url, credentials }, measure, () => measureTabMemory(browser));
};

const results: WebResult[] = [];
for (const size of values.sizes.split(',').map(Number)) {
  results.push(await measureLibrary(size));
  await saveFigures(values.json, { measure, results });
}
await publishTable('bench:web', webTable(results, measure), values);
const missed = missedInWeb(results);
for (const sentence of missed) console.error(`missed: ${sentence}`);
process.exit(missed.length > 0 ? 1 : 0);
