import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { mean } from '@hearth/testkit/figures/statistics.ts';
import { prepareCorpus } from './photoCorpus.ts';

/*
 * npm run bench:corpus [-- --count 300]: generates the missing benchmark photos in the cache and prints their folder.
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '300' } } });
const photos = await prepareCorpus(Number(values.count), console.log);
const sizes = await Promise.all(photos.map(async ({ path }) => (await stat(path)).size / 1e6));
console.log(
  `${photos.length} photos in ${dirname(photos[0]!.path)}: ` +
    `${Math.min(...sizes).toFixed(1)} to ${Math.max(...sizes).toFixed(1)} MB, ${mean(sizes).toFixed(1)} MB on average`,
);
