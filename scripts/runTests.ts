import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { notRequired, testTools, toolsDirectory } from '@hearth/testkit/run/tools.ts';
import { buildWeb } from './buildWeb.mjs';
import { runVite } from './runVite.mjs';
import { builtSite } from './site/builtSite.ts';
import { backEnds, needsBackEnds } from './tests/backEnds.ts';
import { fillCompileCache } from './tests/fillCompileCache.ts';
import { makeMemoryFolder } from './tests/memoryFolder.ts';
import type { Report, ReportedTest } from './tests/report.ts';
import { runSuite } from './tests/runSuite.ts';
import { runVitest } from './tests/runVitest.ts';
import { suites } from './tests/suites.ts';
import { installTools } from './tools/installTools.ts';
import { recipes } from './tools/recipes.ts';

// npm test [-- PART …] [--suite NAME|all] [--on NAME]: runs the test files whose path contains one of the parts, or
// those of a suite. `--on` selects the back ends.

const { values, positionals: parts } = parseArgs({
  options: { suite: { type: 'string' }, on: { type: 'string', default: 'embedded' } },
  allowPositionals: true,
});
const { suite = parts.length > 0 ? 'all' : 'tests', on } = values;
const chosenSuites = suites.filter(({ name, isApart = false, env }) =>
  parts.length > 0 && suite === 'all' ? env === undefined : suite === name || (suite === 'all' && !isApart),
);
if (chosenSuites.length === 0) exitWithUsage(`--suite: all, ${suites.map(({ name }) => name).join(', ')}`);
if (backEnds[on] === undefined) exitWithUsage(`--on: ${Object.keys(backEnds).join(', ')}`);

const files = globSync('{services,operators,load-tests,tests,scripts,docs,charts}/**/*.test.{ts,tsx}', {
  exclude: (path) => path.includes('node_modules'),
}).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
const isVitest = (file: string): boolean => file.startsWith('services/web/src/');

/** File durations of the last run in seconds. Slow files start first, so that none runs alone at the end. */
const secondsPath = 'node_modules/.cache/test-seconds.json';
const readSeconds = (): Record<string, number> => {
  try {
    return JSON.parse(readFileSync(secondsPath, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
};
const seconds = readSeconds();
const slowestFirst = (a: string, b: string): number => (seconds[b] ?? 0) - (seconds[a] ?? 0) || a.localeCompare(b);

// The default action of the signal would skip the `exit` handlers, which stop the runner.
process.once('SIGTERM', () => process.exit(143));
Object.assign(process.env, {
  HEARTH_TEST_ON: on,
  HEARTH_TEST_QUICK_DIR: process.env['HEARTH_TEST_QUICK_DIR'] ?? makeMemoryFolder() ?? '',
  HEARTH_TEST_SEED: process.env['HEARTH_TEST_SEED'] ?? String(testSeed),
});
console.log(`seed ${process.env['HEARTH_TEST_SEED']} (set HEARTH_TEST_SEED to repeat this run)`);
await installTools({ directory: toolsDirectory(process.env), recipes, onProgress: console.log }, testTools);
fillCompileCache();

const results: { readonly name: string; readonly minutes: string; readonly report: Report }[] = [];
const record = async (name: string, run: () => Promise<Report>): Promise<void> => {
  console.log(`\n=== ${name}\n`);
  const begin = Date.now();
  const report = await run();
  Object.assign(seconds, report.seconds);
  results.push({ name, minutes: ((Date.now() - begin) / 60_000).toFixed(1), report });
};
for (const { name, has, filesPerCore, env = {} } of chosenSuites) {
  const filesOfSuite = files.filter((file) => has(file) && (on === 'embedded' || needsBackEnds(file)));
  const webFiles = filesOfSuite.filter((file) => isVitest(file) && env['HEARTH_TEST_DATA'] === undefined);
  if (webFiles.length > 0) await record('web app', () => runVitest(webFiles));
  const others = filesOfSuite.filter((file) => !isVitest(file)).toSorted(slowestFirst);
  if (others.length === 0) continue;
  if (others.some((file) => /^(services\/web\/e2e|tests\/stories)\//.test(file)))
    await buildWeb(resolve('.'), runVite(process.execPath));
  // The tests of the site report a failed build.
  if (others.some((file) => file.startsWith('docs/')))
    await builtSite().catch((error: Error) => console.error(error.message));
  await record(name, () => runSuite(others, { filesPerCore, env, setup: resolve('scripts/tests/setup.ts') }));
}
mkdirSync(dirname(secondsPath), { recursive: true });
writeFileSync(secondsPath, JSON.stringify(seconds));

/** Prints tests grouped by reason, one line each. */
const listByReason = (title: string, tests: readonly ReportedTest[]): void => {
  if (tests.length > 0) console.log(`\n${title}`);
  for (const [reason, [first, ...others]] of Map.groupBy(tests, (test) =>
    test.reason.split('\n').slice(0, 12).join('\n    '),
  ))
    console.log(
      others.length === 0 ? `  ${first!.file}: ${first!.name} (${reason})` : `  ${others.length + 1} tests: ${reason}`,
    );
};
const isRequired = ({ reason }: ReportedTest): boolean =>
  process.env['HEARTH_REQUIRE_TOOLS'] === '1' && !reason.endsWith(notRequired);
const failed = results.flatMap(({ name, report }) => [
  ...report.failed,
  ...(name === 'without-data' ? [] : report.skipped.filter(isRequired)),
]);
listByReason(
  'Skipped:',
  results.flatMap(({ report }) => report.skipped),
);
for (const { file, name, reason } of failed) console.log(`\nFailed: ${file}: ${name}\n  ${reason}`);

console.log('\nsuite             passed    failed   skipped   minutes');
for (const { name, minutes, report } of results)
  console.log(
    [
      name.padEnd(14),
      ...[report.passed, report.failed.length, report.skipped.length, minutes].map((cell) => String(cell).padStart(10)),
    ].join(''),
  );
const passed = results.reduce((sum, { report }) => sum + report.passed, 0);
console.log(`\n${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 && passed > 0 ? 0 : 1;

function exitWithUsage(usage: string): never {
  console.error(usage);
  process.exit(2);
}
