import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { drawDashboard } from './drawDashboard.ts';
import { watchOwnHearth } from './watchDashboards.ts';

// npm run report:dashboards -- FOLDER: draws each dashboard under a small load and writes the pictures into the folder.
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npm run report:dashboards -- FOLDER, the folder for the pictures');
  process.exit(2);
}
const directory = await makeFolder('monitoring');
try {
  const { dashboards, problems, alerts } = await watchOwnHearth(directory, 120, new AbortController().signal);
  await mkdir(folder, { recursive: true });
  for (const watched of dashboards) {
    const path = join(folder, `${watched.dashboard.name}.svg`);
    await writeFile(path, await drawDashboard(watched));
    console.log(path);
  }
  for (const problem of problems) console.log(`Prometheus reported: ${problem}`);
  for (const alert of alerts) console.log(`Alert: ${alert}`);
} finally {
  await removeFolder(directory);
}
