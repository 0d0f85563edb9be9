import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { startTestServer } from '@hearth/core/testing/postgres.ts';

const testFiles = [
  'services/*/src/**/*.test.ts',
  'load-tests/**/*.test.ts',
  'scripts/**/*.test.ts',
  'docs/**/*.test.ts',
];
const wanted = process.argv.slice(2);
const files = globSync(testFiles, { exclude: (path) => path.includes('node_modules') })
  .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)))
  .toSorted();

// One PostgreSQL for the whole run; every test file makes a database of its own on it.
process.env['HEARTH_TEST_DATABASE_URL'] = (await startTestServer()).url;

let passed = 0;
let failed = 0;
const skipped: string[] = [];

const isSuite = (data: { details: { type?: string | undefined } }): boolean => data.details.type === 'suite';

const events = run({ files, concurrency: 2 });
events.on('test:pass', (data) => {
  if (isSuite(data)) return;
  if (data.skip === undefined || data.skip === false) passed++;
  else
    skipped.push(`${relative('.', data.file ?? '')}: ${data.name} (${data.skip === true ? 'no reason' : data.skip})`);
});
events.on('test:fail', (data) => {
  if (!isSuite(data)) failed++;
});
const report = events.compose(spec);
report.pipe(process.stdout);
await finished(report);

if (skipped.length > 0) {
  const isRequired = process.env['HEARTH_REQUIRE_TOOLS'] === '1';
  if (isRequired) failed += skipped.length;
  console.log(isRequired ? '\nSkipped, though everything is required:' : '\nSkipped:');
  for (const line of skipped) console.log(`  ${line}`);
}
if (passed === 0) failed++;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
