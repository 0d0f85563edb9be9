import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

// npm run chart:pin -- FOLDER COMMAND…: writes the digests of the chart's images into the chart. COMMAND runs once per
// image, with the image as its last argument, and prints the digest. Only for release charts: the template hearth.image
// uses the file if it exists.
const [folder, program, ...args] = process.argv.slice(2);
if (folder === undefined || program === undefined) {
  process.stderr.write('usage: npm run chart:pin -- FOLDER COMMAND…, such as charts/hearth crane digest\n');
  process.exit(64);
}

/** Returns the distinct images in the chart's values as registry/repository:tag. An empty tag means the app version. */
const listImages = (values: unknown, appVersion: string): readonly string[] => [
  ...new Set(
    listMaps(values).flatMap(({ registry, repository, tag }) =>
      typeof registry === 'string' && typeof repository === 'string' && typeof tag === 'string'
        ? [`${registry}/${repository}:${tag || appVersion}`]
        : [],
    ),
  ),
];

type Values = Readonly<Record<string, unknown>>;

/** Returns a value and all maps within it. */
const listMaps = (value: unknown): readonly Values[] =>
  typeof value === 'object' && value !== null ? [value as Values, ...Object.values(value).flatMap(listMaps)] : [];

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
