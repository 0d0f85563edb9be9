/** `npm run docs:formats`: writes the tables of formats into the guide. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatsPage, putTables } from './formatsTable.ts';

const root = join(import.meta.dirname, '../../../..');
const path = join(root, formatsPage);
writeFileSync(path, putTables(readFileSync(path, 'utf8')));
// The columns are aligned as in all our Markdown.
execFileSync(join(root, 'node_modules/.bin/oxfmt'), [path]);
