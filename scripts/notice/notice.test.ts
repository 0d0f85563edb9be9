import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { modelNames, getModel } from '@hearth/inference/models/models.ts';
import { listPackages, mark, modelsMark, putPackages } from './notice.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const lock = JSON.parse(read('package-lock.json'));
const packages = listPackages(lock);
const notice = read('NOTICE');
/** The hand-written part. */
const [prose = ''] = notice.split(mark);

test('NOTICE lists every package that is not only for development, with its licence (else: npm run docs:notice)', () => {
  assert.ok(packages.length > 0);
  assert.deepEqual(
    packages.filter(({ licence }) => licence === undefined),
    [],
    'packages without a licence',
  );
  assert.equal(notice, putPackages(notice, packages));
});

test('NOTICE states the licences and the training data of each model', () => {
  const [, list = ''] = notice.split(modelsMark);
  for (const name of modelNames) {
    const { licence, trainingData } = getModel(name);
    for (const words of [name, licence.code, licence.weights, trainingData])
      assert.ok(list.includes(words), `${name}: ${words}`);
    assert.match(`${licence.code} ${licence.weights}`, /^(Apache-2\.0|MIT)\b.* (Apache-2\.0|MIT)\b/, name);
  }
});

test('installed packages have the version and the licence of the lock file', () => {
  for (const [path, { dev, link, version, license }] of Object.entries<Record<string, unknown>>(lock.packages)) {
    const file = join(root, path, 'package.json');
    if (!path.includes('node_modules/') || dev === true || link === true || !existsSync(file)) continue;
    const installed = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(installed.version, version, path);
    if (typeof installed.license === 'string') assert.equal(installed.license, license, path);
  }
});

/** Licences that require only attribution and the licence text. */
const permissive = /^(MIT|Apache-2\.0|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0)$/;

test('NOTICE explains the obligations of each package whose licence requires more than attribution', () => {
  const packagesWithObligations = packages.filter(
    ({ licence = '' }) => !licence.split(' AND ').every((each) => permissive.test(each)),
  );
  assert.ok(packagesWithObligations.length > 0);
  for (const { name, licence } of packagesWithObligations) {
    // One sentence covers the packages of all platforms.
    const family = name.replace(
      /[-/](linux(musl)?|darwin|win32|windows|wasm32|freebsd|webcontainers).*$|\.(pl|exe)$/,
      '',
    );
    assert.ok(prose.includes(family), `${name} (${licence})`);
  }
});

test('NOTICE matches the configuration of the bundled FFmpeg', () => {
  const binaries = globSync('node_modules/@seydx/node-av-*/node-av.node', { cwd: root });
  for (const binary of binaries) {
    const bytes = readFileSync(join(root, binary));
    const options = [
      '--enable-gpl',
      '--enable-version3',
      '--enable-libfdk-aac',
      '--enable-libx264',
      '--enable-libx265',
    ];
    for (const option of options) {
      assert.ok(bytes.includes(` ${option} `), `${binary} is no longer configured with ${option}`);
      assert.ok(prose.includes(option), `NOTICE lacks ${option}`);
    }
  }
});
