import { resolve } from 'node:path';
import { flag, text, variable } from './config.ts';

/** Switches all downloads from the internet off. */
export const offlineVariable = () =>
  variable({
    name: 'HEARTH_OFFLINE',
    description: '1: nothing is downloaded from the internet',
    schema: flag(),
    default: '0',
  });

/** A URL, or a folder relative to where the user called npm. */
export const folderOrUrl = (env: NodeJS.ProcessEnv) =>
  text().transform((place) => (/^https?:/.test(place) ? place : resolve(env['INIT_CWD'] ?? process.cwd(), place)));
