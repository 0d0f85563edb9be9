import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { missingTool, toolPath } from '@hearth/core/testing/tools.ts';
import { images } from '../images/images.ts';
import { workflows } from './workflows.ts';

process.chdir(join(import.meta.dirname, '../..'));

/** What actionlint says of workflows; without the programs that it would find on some machines only. */
const lint = (...paths: readonly string[]) =>
  spawnSync(toolPath('actionlint'), ['-shellcheck=', '-pyflakes=', '-no-color', ...paths], { encoding: 'utf8' });

/** Every job, with the path of its workflow and its name. */
const jobs = workflows.flatMap(({ path, jobs: ofWorkflow }) =>
  Object.entries(ofWorkflow).map(([id, job]) => ({ name: `${path}: ${id}`, job })),
);
const steps = jobs.flatMap(({ name, job: { steps: ofJob = [] } }) => ofJob.map((step) => ({ name, step })));
const release = workflows.find(({ path }) => path.endsWith('release.yaml'))!;

suite('workflows are valid', { skip: missingTool('actionlint') }, () => {
  test('actionlint finds nothing in them', () => {
    const { status, stdout, stderr } = lint(...workflows.map(({ path }) => path));
    assert.deepEqual([status, stdout + stderr], [0, '']);
  });

  test('a workflow that is wrong is found', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-workflows-'));
    after(() => rmSync(folder, { recursive: true }));
    const wrong = release.text.replace('needs: [version, index]', 'needs: [version, indexes]');
    writeFileSync(join(folder, 'wrong.yaml'), wrong);
    const { status, stdout } = lint(join(folder, 'wrong.yaml'));
    assert.equal(status, 1);
    assert.match(stdout, /"indexes"/);
  });
});

test('every script of npm that a workflow runs exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };
  const run = workflows.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test))/g)].map(
      ([, named, short]) => named ?? short!,
    ),
  );
  assert.ok(run.length > 0);
  assert.deepEqual(
    [...new Set(run)].filter((name) => !(name in scripts)),
    [],
  );
});

test('`npm test`, its two other suites, `npm start` and `npm run check` are all run', () => {
  const text = workflows.map((each) => each.text).join('\n');
  for (const command of ['npm run check', 'npm start', 'npm test', 'npm run test:stories', 'npm run test:faults'])
    assert.ok(text.includes(command), command);
});

test('every path that a workflow names exists', () => {
  const paths = workflows.flatMap(
    ({ text }) => text.match(/(?:\.github|charts|docs|operators|scripts|services)\/[\w./*-]*\w/g) ?? [],
  );
  assert.ok(paths.length > 0);
  for (const path of paths) assert.ok(existsSync(path.replace(/\/\*.*$/, '')), path);
});

test('the chart is packaged after the digests of its images were added', () => {
  const runs = release.jobs['chart']!.steps!.map(({ run = '' }) => run);
  const pinned = runs.findIndex((run) => run.includes('npm run --silent chart:pin -- charts/hearth'));
  const packaged = runs.findIndex((run) => run.includes('package charts/hearth'));
  assert.ok(pinned >= 0 && pinned < packaged);
});

test('the images that are released are those of the list, for both processors', () => {
  const { matrix } = release.jobs['images']!.strategy!;
  assert.deepEqual(
    matrix['image'],
    images.map(({ repository, dockerfile }) => ({ repository, dockerfile })),
  );
  assert.deepEqual(
    matrix['platform']!.map((platform) => (platform as { readonly name: string }).name),
    ['linux/amd64', 'linux/arm64'],
  );
  assert.deepEqual(
    release.jobs['index']!.strategy!.matrix['repository'],
    images.map(({ repository }) => repository),
  );
});

test('no image that is released has FFmpeg, and each has its SBOM and its provenance', () => {
  const builds = steps.flatMap(({ step: { run } }) => (run?.includes('buildx build') === true ? [run] : []));
  assert.equal(builds.length, 1);
  assert.doesNotMatch(builds[0]!, /FFMPEG/);
  assert.match(builds[0]!, /--sbom=true --provenance=mode=max/);
});

test('every action is pinned by the commit of a version', () => {
  const actions = workflows.flatMap(({ text }) =>
    [...text.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action!),
  );
  assert.ok(actions.length > 0);
  for (const action of actions) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('a checkout leaves no token behind', () => {
  const checkouts = steps.filter(({ step }) => step.uses?.startsWith('actions/checkout@'));
  assert.ok(checkouts.length > 0);
  for (const { name, step } of checkouts) assert.equal(step.with?.['persist-credentials'], false, name);
});

test('a workflow has no rights, each job names its own, and only a release may write', () => {
  for (const { path, permissions } of workflows) assert.deepEqual(permissions, {}, path);
  for (const { name, job } of jobs) {
    const { contents, ...others } = job.permissions!;
    assert.equal(contents, 'read', name);
    if (!name.startsWith(release.path)) assert.deepEqual(others, {}, name);
  }
});

test('every job ends by itself, long before the six hours that GitHub gives it', () => {
  for (const { name, job } of jobs)
    assert.ok(job.uses !== undefined || (job['timeout-minutes'] ?? Infinity) <= 90, name);
});
