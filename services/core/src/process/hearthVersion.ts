import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckoutCommit } from './checkoutCommit.ts';

/** The version of this code with the commit, by default the checked-out one: `0.1.0 (3f2a9c1b7d04)`. Only the version if no commit is known. */
export const readHearthVersion = (commit = readCheckoutCommit()): string => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
  return commit === undefined || commit === '' ? version : `${version} (${commit.slice(0, 12)})`;
};

const packageFile = join(import.meta.dirname, '../../package.json');
