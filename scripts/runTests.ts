import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import { buildWeb } from './buildWeb.mjs';
import { builtSite } from './site/builtSite.ts';
import { runVite } from './runVite.mjs';
import { backEndsToTest, isTestedOn, type TestBackEndsRecipe } from './tests/backEnds.ts';
import { describeSkips, type SkippedTest } from './tests/describeSkips.ts';
import { fillCompileCache } from './tests/fillCompileCache.ts';
import { findImporters } from './tests/findImporters.ts';
import { groupFiles } from './tests/groupFiles.ts';
import { makeMemoryFolder } from './tests/memoryFolder.ts';
import { runFiles, type Outcome, type RanTest } from './tests/runFiles.ts';
import { startServers } from './tests/startServers.ts';
import { runVitest } from './tests/runVitest.ts';
import { longestFirst, needsOwnProcess, suites } from './tests/suites.ts';
import { installTools } from './tools/installTools.ts';
import { recipes } from './tools/recipes.ts';

// npm test [-- PART …] [--on NAME|all] [--suite NAME|all] [--data given|none|both]: runs the test files whose path contains one of the parts, or
// those of a suite, on the embedded back ends, on those named, or on one after the other. `--data none` runs only the files that use test data,
// with an empty folder of it, as in a fresh clone; `both` does that after everything else.

const testFiles = [
  'services/*/src/**/*.test.{ts,tsx}',
  'services/web/e2e/**/*.test.ts',
  'operators/*/src/**/*.test.ts',
  'load-tests/**/*.test.ts',
  'tests/**/*.test.ts',
  'scripts/**/*.test.ts',
  'docs/**/*.test.ts',
  'charts/**/*.test.ts',
];

/**
 * Required nowhere, run where they can be: those that need a Kubernetes API server, which takes longer to build than everything else to test, and
 * the one that needs util-linux 2.40, which most distributions do not have yet. So are tests of models that are too large to lie beside the test
 * data: they run where somebody has fetched them.
 */
const needWhatIsRare = [
  ...['controlPlane', 'manyOnControlPlane'].map((name) => `operators/queue-scaler/src/${name}.test.ts`),
  'charts/hearth/tests/controlPlane.slow.test.ts',
  'services/worker/src/media/sandbox/confinement/landlock.test.ts',
  'scripts/images/imageSizes.test.ts',
  ...['tinyclip-vit-8m-16', 'clip-vit-b-32'].flatMap((model) => [
    `services/inference/src/models/models.test.ts: ${model}`,
    `services/inference/src/secondEmbeddings.test.ts: a second implementation and ${model}`,
  ]),
  'tests/media/mediaSet.slow.test.ts: nine of ten held queries find what is expected, of those that need CLIP too',
  'tests/cluster/',
];

/** More cores than this run no more files: the shared PostgreSQL has connections for 24 at once. */
const mostCores = 8;

/** As many of the files that took longest are listed as `slowFiles` should name. */
const listedFiles = 20;

/** More lines of what a failed test says are not repeated at the end, where all failed ones are listed. */
const mostReasonLines = 12;

/** What became of a run of the suite on some back ends; without tests where it could not begin. */
interface Result extends Outcome {
  readonly name: string;
  readonly wallSeconds: number;
  /** True if the folder of test data was empty, so that tests may be skipped. */
  readonly lacksData?: boolean;
}

const { values, positionals: wanted } = parseArgs({
  options: {
    on: { type: 'string', default: 'embedded' },
    suite: { type: 'string' },
    data: { type: 'string', default: 'given' },
  },
  allowPositionals: true,
});
const chosen = backEndsToTest.filter(({ name }) => values.on === 'all' || values.on === name);
if (chosen.length === 0) {
  console.error(`--on wants all or one of ${backEndsToTest.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
if (!['given', 'none', 'both'].includes(values.data)) {
  console.error('--data wants given, none or both');
  process.exit(2);
}
// What somebody names is run whichever suite it belongs to.
const suite = values.suite ?? (wanted.length > 0 ? 'all' : 'tests');
const chosenSuites = suites.filter(
  ({ name, isApart = false }) => suite === name || (suite === 'all' && (!isApart || wanted.length > 0)),
);
if (chosenSuites.length === 0) {
  console.error(`--suite wants all or one of ${suites.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const found = globSync(testFiles, { exclude: (path) => path.includes('node_modules') }).filter(
  (path) => wanted.length === 0 || wanted.some((part) => path.includes(part)),
);
/** The web app's unit tests, which know no back end: they are run once, by Vitest. */
const isOfVitest = (file: string): boolean => file.startsWith('services/web/src/');
const files = values.data === 'none' ? [] : found.filter((file) => !isOfVitest(file));
const vitestFiles = values.data === 'none' ? [] : found.filter(isOfVitest);
/** The files of `npm test` that use test data, if they are to run without it. */
const filesWithoutData =
  values.data === 'given'
    ? []
    : findImporters('.', found, 'services/testkit/src/run/testData.ts').filter((file) => suites[0]!.has(file));

/** Those that open the web app: it is served as it is at `npm start`. */
const opensWeb = (file: string): boolean => /^(services\/web\/e2e|tests\/stories)\//.test(file);

// For the servers too, which this process starts.
process.env['HEARTH_TEST_QUICK_DIR'] ??= makeMemoryFolder() ?? '';

// Of random tests: one for all files, so that the run can be repeated as a whole.
process.env['HEARTH_TEST_SEED'] ??= String(testSeed);
console.log(`seed ${process.env['HEARTH_TEST_SEED']}: HEARTH_TEST_SEED repeats what random tests choose`);

const runOn = async (backEnds: TestBackEndsRecipe): Promise<Result[]> => {
  const { name, description, kind, tools } = backEnds;
  console.log(`\n=== ${name}: ${description}\n`);
  const installed = await installTools(
    { directory: toolsDirectory(process.env), recipes, onProgress: console.log },
    tools,
  );
  const missing = [...installed.values()].flatMap((tool) => ('missing' in tool ? [tool.missing] : []));
  if (kind !== 'embedded' && missing.length > 0) {
    const skipped = [{ file: '', name: `everything on ${name}`, reason: missing.join('; ') }];
    return [{ name, wallSeconds: 0, passed: [], failed: [], skipped, seconds: new Map() }];
  }
  const env = await startServers(backEnds);
  const results: Result[] = [];
  for (const { name: suiteName, has, filesPerCore, isApart = false } of chosenSuites) {
    // What somebody names is run wherever it is asked for.
    const ofSuite = longestFirst(files).filter((file) => has(file) && (wanted.length > 0 || isTestedOn(kind, file)));
    if (ofSuite.length === 0) continue;
    const begin = Date.now();
    const outcome = await runFiles(groupFiles(ofSuite, needsOwnProcess), {
      env,
      concurrency: isApart ? 1 : filesPerCore * Math.min(availableParallelism(), mostCores),
    });
    results.push({ name: `${name} ${suiteName}`, wallSeconds: Math.round((Date.now() - begin) / 1_000), ...outcome });
  }
  return results;
};

const runWithoutData = async (): Promise<Result> => {
  console.log(`\n=== without test data: the ${filesWithoutData.length} files that use it\n`);
  const embedded = backEndsToTest.find(({ kind }) => kind === 'embedded')!;
  await installTools({ directory: toolsDirectory(process.env), recipes, onProgress: console.log }, embedded.tools);
  const empty = mkdtempSync(join(tmpdir(), 'hearth-no-test-data-'));
  const begin = Date.now();
  const outcome = await runFiles(groupFiles(longestFirst(filesWithoutData), needsOwnProcess), {
    env: { ...(await startServers(embedded)), HEARTH_TEST_DATA: empty },
    concurrency: suites[0]!.filesPerCore * Math.min(availableParallelism(), mostCores),
  });
  rmSync(empty, { recursive: true });
  return {
    name: 'without test data',
    wallSeconds: Math.round((Date.now() - begin) / 1_000),
    lacksData: true,
    ...outcome,
  };
};

const results: Result[] = [];
if (vitestFiles.length > 0 && chosenSuites.some(({ name }) => name === 'tests')) {
  const begin = Date.now();
  const outcome = await runVitest(vitestFiles);
  results.push({ name: 'web app', wallSeconds: Math.round((Date.now() - begin) / 1_000), ...outcome });
}
/** Those that look at the documentation site, or need its packages: it is installed and built once for all of them. */
const opensSite = (file: string): boolean => file.startsWith('docs/testing/');

const willRun = (file: string): boolean => chosenSuites.some(({ has }) => has(file));
if (files.some((file) => opensSite(file) && willRun(file))) {
  // Its tests fail by themselves; the others have nothing to do with it.
  await builtSite().catch((error: Error) => console.error(error.message));
}
if (files.length + filesWithoutData.length > 0) fillCompileCache();
if (files.some(opensWeb)) await buildWeb(resolve('.'), runVite(process.execPath));
for (const backEnds of files.length === 0 ? [] : chosen) results.push(...(await runOn(backEnds)));
if (filesWithoutData.length > 0) results.push(await runWithoutData());

const describe = ({ file, name }: RanTest): string => (file === '' ? name : `${file}: ${name}`);
const list = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) console.log([`\n${title}`, ...lines.map((line) => `  ${line}`)].join('\n'));
};

/** Of a reason as much as says what went wrong, without the stack. */
const firstLines = (reason: string): string[] => reason.split('\n').slice(0, mostReasonLines);

// What one of the back ends has no way to test counts as tested when another one has tested it.
const full = results.filter(({ lacksData = false }) => !lacksData || values.data === 'none');
const tested = new Set(full.flatMap(({ passed, failed }) => [...passed, ...failed].map(describe)));
const missed = full.flatMap(({ name, skipped }) =>
  skipped
    .filter((test) => !tested.has(describe(test)))
    .map((test): SkippedTest => ({ line: `${name}: ${describe(test)}`, reason: test.reason })),
);
const isRequired = process.env['HEARTH_REQUIRE_TOOLS'] === '1' && values.data !== 'none';
const missedThoughRequired = isRequired
  ? missed.filter(({ line }) => !needWhatIsRare.some((file) => line.includes(file)))
  : [];
list(
  'Skipped, though everything is required:',
  missedThoughRequired.map(({ line, reason }) => `${line} (${reason})`),
);
list('Skipped:', describeSkips(missed.filter((test) => !missedThoughRequired.includes(test))));
list(
  'Failed:',
  results.flatMap(({ name, failed }) =>
    failed.flatMap((test) => [`${name}: ${describe(test)}`, ...firstLines(test.reason).map((line) => `    ${line}`)]),
  ),
);

if (wanted.length === 0)
  for (const { name, seconds } of results) {
    const longest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, listedFiles);
    list(
      `Took longest, in seconds (${name}):`,
      longest.map(([file, took]) => `${took.toFixed(0).padStart(4)} ${file}`),
    );
  }

console.log('');
const row = (...cells: readonly (string | number)[]): void =>
  console.log(cells.map((cell, index) => (index === 0 ? String(cell).padEnd(25) : String(cell).padStart(8))).join(''));
row('back ends', 'passed', 'failed', 'skipped', 'seconds');
for (const { name, passed, failed, skipped, wallSeconds } of results)
  row(name, passed.length, failed.length, skipped.length, wallSeconds);

const sum = (count: (result: Result) => number): number => results.reduce((total, result) => total + count(result), 0);
const passed = sum((result) => result.passed.length);
const failed = sum((result) => result.failed.length) + missedThoughRequired.length + (passed === 0 ? 1 : 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
