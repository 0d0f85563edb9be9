import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, parseObjects, renderText, scenarioFile, scenarios } from './helm.ts';
import { containersOf, podTemplates } from './pods.ts';

/** Stands in for a registry: the digest of an image is the SHA-256 of its name. */
const digestOf = (image: string): string => `sha256:${createHash('sha256').update(image).digest('hex')}`;
const resolveCommand = [
  process.execPath,
  '--eval',
  `console.log('sha256:' + require('crypto').createHash('sha256').update(process.argv.at(-1)).digest('hex'))`,
];

const pin = (folder: string, command: readonly string[]) =>
  spawnSync(process.execPath, [join(chart, '../../scripts/chart/pinImages.ts'), folder, ...command], {
    encoding: 'utf8',
  });

const { appVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8')) as { appVersion: string };

suite('released chart', { skip: missingTool('helm') }, () => {
  const parent = mkdtempSync(join(tmpdir(), 'hearth-released-chart-'));
  const released = join(parent, 'hearth');
  test.before(() => {
    cpSync(chart, released, { recursive: true });
    const { status, stderr } = pin(released, resolveCommand);
    assert.equal(status, 0, stderr);
  });
  test.after(() => rm(parent, { recursive: true }));

  const listRendered = (scenario: string, ...options: readonly string[]): readonly string[] =>
    podTemplates(parseObjects(renderText(scenarioFile(scenario), options, released))).flatMap(({ spec }) =>
      containersOf(spec).map(({ image }) => image),
    );

  test('references every image by digest, in every scenario', () => {
    for (const scenario of scenarios)
      for (const image of listRendered(scenario)) assert.match(image, /:[\w.-]+@sha256:[0-9a-f]{64}$/, scenario);
  });

  test('uses the digest of the tagged image', () => {
    const api = `ghcr.io/hearth-photos/hearth-api:${appVersion}`;
    assert.ok(listRendered('default').includes(`${api}@${digestOf(api)}`));
    assert.ok(listRendered('default').some((image) => image.startsWith('docker.io/valkey/valkey:')));
  });

  test('keeps the digests with a registry mirror', () => {
    const name = `hearth-photos/hearth-worker:${appVersion}`;
    assert.ok(listRendered('mirror').includes(`registry.example.org:5000/${name}@${digestOf(`ghcr.io/${name}`)}`));
  });

  test('adds no digest to an image with another tag or repository', () => {
    const images = listRendered('default', '--set', 'api.image.tag=mine', '--set', 'worker.image.repository=me/worker');
    assert.ok(images.includes('ghcr.io/hearth-photos/hearth-api:mine'));
    assert.ok(images.includes(`ghcr.io/me/worker:${appVersion}`));
  });

  test('prefers the digest in the values, and uses none with global.imageDigests=false', () => {
    const digest = `sha256:${'1'.repeat(64)}`;
    assert.ok(listRendered('default', '--set', `api.image.digest=${digest}`).some((image) => image.endsWith(digest)));
    for (const image of listRendered('default', '--set', 'global.imageDigests=false')) assert.doesNotMatch(image, /@/);
  });

  test('is not created if a digest is missing', () => {
    const other = join(parent, 'other');
    cpSync(chart, other, { recursive: true });
    const { status, stderr } = pin(other, [process.execPath, '--eval', 'console.log("no such image")', '--']);
    assert.notEqual(status, 0);
    assert.match(stderr, /hearth-api:\S+: expected a digest, found "no such image"/);
    assert.ok(!existsSync(join(other, 'files/imageDigests.json')));
  });
});

test('the chart in the source tree has no digests', () => {
  assert.ok(!existsSync(join(chart, 'files/imageDigests.json')));
});
