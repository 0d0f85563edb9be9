/** `npm run docs:notice`: writes the lists of packages and models into NOTICE. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPackages, putPackages } from './notice.ts';

const root = join(import.meta.dirname, '../..');
const notice = join(root, 'NOTICE');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
writeFileSync(notice, putPackages(readFileSync(notice, 'utf8'), listPackages(lock)));
