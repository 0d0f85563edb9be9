import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import type { Recipe } from './installTools.ts';
import { runCommand } from './runCommand.ts';

const root = join(import.meta.dirname, '../..');
const builder = 'services/worker/src/places/build/main.ts';

/** Geographic test data, for postcodes without network access. */
const mirror = getTestDataFolder('geo');

/** Changes with the code that makes the file, with the source packages, and with the presence of the test data. */
const version = (): string => {
  const hash = createHash('sha256').update(String(existsSync(mirror)));
  for (const path of [
    'services/worker/package.json',
    ...globSync('services/worker/src/places/**/*.ts', { cwd: root })
      .filter((path) => !/test/.test(path))
      .toSorted(),
  ])
    hash.update(readFileSync(join(root, path)));
  return hash.digest('hex').slice(0, 12);
};

/** The place map with the postcodes of the test data. */
export const placesFile: Recipe = {
  kind: 'made',
  version: version(),
  effort: 'a few seconds',
  path: 'places.bin',
  make: (directory) =>
    runCommand([process.execPath, join(root, builder)], {
      env: {
        HEARTH_PLACES_FILE: join(directory, 'places.bin'),
        ...(existsSync(mirror) ? { HEARTH_GEO_MIRROR: mirror } : { HEARTH_OFFLINE: '1' }),
      },
    }),
};
