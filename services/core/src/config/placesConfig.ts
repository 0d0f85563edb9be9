import { join } from 'node:path';
import { commonVariables } from './commonConfig.ts';
import { text, variable, type ConfigOf } from './config.ts';
import { folderOrUrl, offlineVariable } from './downloadConfig.ts';

/** The variables of the places file, in which workers look up positions, and of its sources. */
export const placesVariables = (env: NodeJS.ProcessEnv) => ({
  dataDirectory: commonVariables(env).dataDirectory,
  placesFile: variable({
    name: 'HEARTH_PLACES_FILE',
    description: 'File of place data, built by npm run places',
    schema: text().optional(),
    default: '<data>/places.bin, built by a worker if missing',
  }),
  geoMirror: variable({
    name: 'HEARTH_GEO_MIRROR',
    description: 'Folder or URL of a mirror of the place data, such as postal/DE.zip',
    schema: folderOrUrl(env).optional(),
    default: 'downloaded from GitHub',
  }),
  isOffline: offlineVariable(),
});

type PlacesConfig = ConfigOf<ReturnType<typeof placesVariables>>;

export const getPlacesFile = ({ placesFile, dataDirectory }: PlacesConfig): string =>
  placesFile ?? join(dataDirectory, 'places.bin');
