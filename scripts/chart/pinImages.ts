import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { listImages } from './listImages.ts';

// npm run chart:pin -- FOLDER COMMAND…: runs the command with each image of the chart as its last argument, and writes the digests that it prints into
// the chart. Release charts only: the template hearth.image uses the file where it exists.
const [folder, program, ...args] = process.argv.slice(2);
if (folder === undefined || program === undefined) {
  process.stderr.write('usage: npm run chart:pin -- FOLDER COMMAND…, such as charts/hearth crane digest\n');
  process.exit(64);
}
const read = (name: string): unknown => parse(readFileSync(join(folder, name), 'utf8'));
const { appVersion } = read('Chart.yaml') as { appVersion: string };
const digests = listImages(read('values.yaml'), appVersion).map((image): readonly [string, string] => {
  const digest = execFileSync(program, [...args, image], { encoding: 'utf8' }).trim();
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${image}: expected a digest, found "${digest}"`);
  process.stdout.write(`${image} ${digest}\n`);
  return [image, digest];
});
writeFileSync(
  join(folder, 'files/imageDigests.json'),
  `${JSON.stringify(Object.fromEntries(digests), undefined, 2)}\n`,
);
