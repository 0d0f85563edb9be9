import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrill, waysToRun } from './runDrill.ts';

/*
 * npm run drill: the kill test in full, on one of the two ways to run Hearth; `--on cluster` needs the tools that `npm run tools` installs.
 * `--away` takes the object store away for so many seconds once in the middle, where it is no folder. `--seed` repeats the plan of another run, though never its exact moments; `--keep` keeps
 * the data and the logs of all starts, as a failure does.
 */
const { values } = parseArgs({
  options: {
    on: { type: 'string', default: 'embedded' },
    photos: { type: 'string', default: '200' },
    kills: { type: 'string', default: '40' },
    empties: { type: 'string', default: '5' },
    away: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
  },
});
const on = values.on as keyof typeof waysToRun;
if (!(on in waysToRun)) throw new Error(`--on ${on}: expected ${Object.keys(waysToRun).join(' or ')}`);
const [photos, kills, empties, away, seed] = [
  values.photos,
  values.kills,
  values.empties,
  on === 'cluster' ? values.away : 0,
  values.seed,
].map(Number) as [number, number, number, number, number];

const say = (doing: string): void => console.log(`${doing} …`);

console.log(`${on}, seed ${seed}`);
const directory = await mkdtemp(join(tmpdir(), 'hearth-drill-'));
let problems: readonly string[];
try {
  const report = await runDrill({ on, photos, kills, empties, awaySeconds: away, seed, directory, say });
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
// At once: what is still open, such as connections to servers that are gone, has nothing more to say.
process.exit(problems.length === 0 ? 0 : 1);
