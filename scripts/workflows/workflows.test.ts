import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool, toolPath, type ToolName } from '@hearth/testkit/run/tools.ts';
import { parse } from 'yaml';
import { images } from '../images/images.ts';

process.chdir(join(import.meta.dirname, '../..'));

/** A job with steps, or a call of another workflow. */
interface Job {
  readonly uses?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly { readonly run?: string }[];
}

const workflows = globSync('.github/workflows/*.yaml').map((path) => {
  const text = readFileSync(path, 'utf8');
  const { jobs } = parse(text) as { readonly jobs: Readonly<Record<string, Job>> };
  return { path, text, jobs };
});
const release = workflows.find(({ path }) => path.endsWith('release.yaml'))!;
const listRuns = (job: Job): readonly string[] => (job.steps ?? []).flatMap(({ run }) => run ?? []);

/** Linters for workflows, each with its arguments and a change that it must reject. */
const linters = [
  {
    // The programs for shellcheck and pyflakes exist only on some machines.
    tool: 'actionlint',
    args: ['-shellcheck=', '-pyflakes=', '-no-color'],
    change: ['needs: [version, index]', 'needs: [version, indexes]'],
    finding: /"indexes"/,
  },
  {
    tool: 'zizmor',
    args: ['--offline', '--pedantic', '--quiet', '--config=.github/zizmor.yml'],
    change: ['persist-credentials: false', 'fetch-depth: 1'],
    finding: /artipacked/,
  },
] as const;

const run = (tool: ToolName, args: readonly string[], ...paths: readonly string[]) =>
  spawnSync(toolPath(tool), [...args, ...paths], { encoding: 'utf8' });

for (const { tool, args, change, finding } of linters)
  suite(tool, { skip: missingTool(tool) }, () => {
    test('finds no problems in the workflows', () => {
      const { status, stdout, stderr } = run(tool, args, ...workflows.map(({ path }) => path));
      assert.equal(status, 0, stdout + stderr);
    });

    test('detects a mistake', (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'hearth-workflows-'));
      t.after(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'wrong.yaml'), release.text.replace(change[0], change[1]));
      const { status, stdout } = run(tool, args, join(folder, 'wrong.yaml'));
      assert.notEqual(status, 0);
      assert.match(stdout, finding);
    });
  });

test('every npm script that a workflow runs exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };
  for (const { text } of workflows)
    for (const [, name = ''] of text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)) assert.ok(name in scripts, name);
});

test('packages the chart after adding the image digests', () => {
  const runs = listRuns(release.jobs['chart']!);
  const pinned = runs.findIndex((run) => run.includes('npm run --silent chart:pin -- charts/hearth'));
  const packaged = runs.findIndex((run) => run.includes('package charts/hearth'));
  assert.ok(pinned >= 0 && pinned < packaged);
});

test('releases every image for both architectures, with SBOM and provenance and without FFmpeg', () => {
  const { strategy, ...job } = release.jobs['images']!;
  assert.deepEqual(
    strategy!.matrix['image'],
    images.map(({ repository, dockerfile }) => ({ repository, dockerfile })),
  );
  assert.partialDeepStrictEqual(strategy!.matrix['platform'], [{ name: 'linux/amd64' }, { name: 'linux/arm64' }]);
  assert.deepEqual(
    release.jobs['index']!.strategy!.matrix['repository'],
    images.map(({ repository }) => repository),
  );
  const build = listRuns(job).find((run) => run.includes('buildx build'))!;
  assert.match(build, /--sbom=true --provenance=mode=max/);
  assert.doesNotMatch(build, /FFMPEG/);
});

for (const { path, jobs } of workflows)
  for (const [name, { permissions, uses, 'timeout-minutes': minutes = Infinity }] of Object.entries(jobs))
    test(`job ${name} of ${path} has write permissions only for releases, and a timeout of at most 90 minutes`, () => {
      const { contents, ...others } = permissions;
      assert.equal(contents, 'read');
      if (path !== release.path) assert.deepEqual(others, {});
      assert.ok(uses !== undefined || minutes <= 90);
    });
