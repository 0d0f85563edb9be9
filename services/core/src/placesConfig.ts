import { join, resolve } from 'node:path';
import { commonVariables } from './commonConfig.ts';
import { flag, text, variable, type ConfigOf } from './config.ts';

/** The variables of the file by which workers know where a position is, and of what it is made from. */
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
    schema: text()
      .transform((place) => (/^https?:/.test(place) ? place : resolve(env['INIT_CWD'] ?? process.cwd(), place)))
      .optional(),
    default: 'they are fetched from GitHub',
  }),
  isOffline: variable({
    name: 'HEARTH_OFFLINE',
    description: 'With 1, nothing is fetched from the internet',
    schema: flag(),
    default: '0',
  }),
});

type PlacesConfig = ConfigOf<ReturnType<typeof placesVariables>>;

/** The path at which the file is or should be. */
export const placesFileOf = ({ placesFile, dataDirectory }: PlacesConfig): string =>
  placesFile ?? join(dataDirectory, 'places.bin');
