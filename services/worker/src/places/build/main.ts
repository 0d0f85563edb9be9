import { mkdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { getPlacesFile, placesVariables } from '@hearth/core/config/placesConfig.ts';
import { onParentGone } from '@hearth/core/process/shutdown.ts';
import { buildPlaces } from './buildPlaces.ts';

// npm run places: builds or replaces the places file, HEARTH_PLACES_FILE.
const config = configureProcess('hearth-places: builds the file of place data.', placesVariables);
onParentGone(() => process.exit(1));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const path = getPlacesFile(config);
const file = await buildPlaces({
  mirror: config.geoMirror,
  isOffline: config.isOffline,
  onMissing: (what) => print(`no postcodes of ${what}`),
});
// Renamed when complete, so that readers find either the old or the new file.
await mkdir(dirname(path), { recursive: true, mode: 0o700 });
// On a cluster several pods share the folder, and their processes have the same pids.
const draftPath = `${path}.${hostname()}.${process.pid}`;
await writeFile(draftPath, file);
await rename(draftPath, path);
print(`${path}: ${(file.length / 1e6).toFixed(1)} MB`);
// The IPC channel to the parent would keep this process running.
process.exit();
