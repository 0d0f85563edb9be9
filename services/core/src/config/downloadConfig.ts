import { resolve } from 'node:path';
import { flag, text, variable } from './config.ts';

/** The variable by which nothing is fetched from the internet. */
export const offlineVariable = () =>
  variable({
    name: 'HEARTH_OFFLINE',
    description: 'With 1, nothing is fetched from the internet',
    schema: flag(),
    default: '0',
  });

/** A folder, from where the command was given, or a URL. */
export const folderOrUrl = (env: NodeJS.ProcessEnv) =>
  text().transform((place) => (/^https?:/.test(place) ? place : resolve(env['INIT_CWD'] ?? process.cwd(), place)));
