import { join } from 'node:path';
import { commonVariables } from './commonConfig.ts';
import { text, variable, type ConfigOf } from './config.ts';
import { folderOrUrl, offlineVariable } from './downloadConfig.ts';

/** The variables of the places file, which workers look positions up in, and of its sources. */
export const placesVariables = (env: NodeJS.ProcessEnv) => ({
  dataDirectory: commonVariables(env).dataDirectory,
  placesFile: variable({
    name: 'HEARTH_PLACES_FILE',
    description: 'The file of the places of the world that npm run places has made',
    schema: text().optional(),
    default: '<data>/places.bin, which a worker makes by itself where it is missing',
  }),
  geoMirror: variable({
    name: 'HEARTH_GEO_MIRROR',
    description: 'Folder or URL that has the postcodes of the world, as postal/DE.zip and so on',
    schema: folderOrUrl(env).optional(),
    default: 'they are fetched from GitHub',
  }),
  isOffline: offlineVariable(),
});

type PlacesConfig = ConfigOf<ReturnType<typeof placesVariables>>;

export const getPlacesFile = ({ placesFile, dataDirectory }: PlacesConfig): string =>
  placesFile ?? join(dataDirectory, 'places.bin');
