import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrill } from './runDrill.ts';

/*
 * npm run drill: the kill test in full. `--seed` repeats the plan of another run, though never its exact moments; `--keep` keeps
 * the data and the logs of all starts, as a failure does.
 */
const { values } = parseArgs({
  options: {
    photos: { type: 'string', default: '200' },
    kills: { type: 'string', default: '40' },
    empties: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
  },
});
const [photos, kills, empties, seed] = [values.photos, values.kills, values.empties, values.seed].map(Number);

const say = (doing: string): void => console.log(`${doing} …`);

console.log(`seed ${seed}`);
const directory = await mkdtemp(join(tmpdir(), 'hearth-drill-'));
let problems: readonly string[];
try {
  const report = await runDrill({ photos: photos!, kills: kills!, empties: empties!, seed: seed!, directory, say });
  console.log();
  for (const [name, value] of Object.entries(report.figures)) console.log(`${name.padEnd(44)}${value}`);
  console.log();
  problems = report.problems;
} catch (error) {
  problems = [(error as Error).stack ?? String(error)];
}
for (const problem of problems) console.log(problem);
const isKept = values.keep || problems.length > 0;
if (isKept) console.log(`kept: ${directory}`);
else await rm(directory, { recursive: true, force: true });
console.log(problems.length === 0 ? 'drill passed' : `drill FAILED: ${problems.length} problems with seed ${seed}`);
process.exitCode = problems.length === 0 ? 0 : 1;
