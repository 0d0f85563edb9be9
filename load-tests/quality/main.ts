import { parseArgs } from 'node:util';
import { describeMachine, saveFigures, publishTable, formatToday } from '@hearth/testkit/figures/publish.ts';
import { faces } from './faces.ts';
import { pool } from './pool.ts';
import type { MeasuredSubject, Subject } from './subject.ts';
import { text } from './text.ts';
import { things } from './things.ts';

/*
 * npm run bench:quality [-- --only things --publish --json PATH]: measures the accuracy and CPU cost of the models on
 * the test media and on variants of them. Needs the test data. `--publish` writes the tables of all subjects into the
 * guide. Exits with 1 if a bound is missed.
 */
const subjects: Readonly<Record<string, Subject>> = { things, faces, text, pool };

const { values } = parseArgs({
  options: { only: { type: 'string' }, json: { type: 'string' }, publish: { type: 'boolean', default: false } },
});
const names = values.only?.split(',') ?? Object.keys(subjects);
const measured: Record<string, MeasuredSubject> = {};
for (const name of names) {
  const subject = subjects[name];
  if (subject === undefined) throw new Error(`unknown subject ${name}; valid: ${Object.keys(subjects).join(', ')}`);
  measured[name] = await subject();
}

const tables = [`${formatToday()}; ${describeMachine()}.`, ...Object.values(measured).map((each) => each.text)].join(
  '\n\n',
);
await publishTable('bench:quality', tables, {
  publish: values.publish && values.only === undefined,
  page: 'models.md',
});
await saveFigures(values.json, Object.fromEntries(names.map((name) => [name, measured[name]!.figures])));
const missed = Object.values(measured).flatMap((each) => each.missed);
for (const sentence of missed) console.error(`missed: ${sentence}`);
if (missed.length > 0) process.exitCode = 1;
