import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAttackDrill } from './runAttackDrill.ts';
import { runFullDiskDrill } from './runFullDiskDrill.ts';
import { needsSmallDisk } from './smallDisk.ts';

/*
 * npm run drill:attack: one user sends everything that is made to stop Hearth, as often as `--rounds` says, and another one's photos, lists and
 * sign-ins go on within their bounds; then the first one fills the disk. `--keep` keeps the logs, as a failure does.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    items: { type: 'string', default: '100000' },
    keep: { type: 'boolean', default: false },
  },
});
const directory = await mkdtemp(join(tmpdir(), 'hearth-attack-'));
const say = (doing: string): void => console.log(`${new Date().toISOString()} ${doing} …`);
const problems: string[] = [];
const figures: Record<string, number> = {};
const phases = {
  attack: () =>
    runAttackDrill({
      directory: join(directory, 'attack'),
      items: Number(values.items),
      rounds: Number(values.rounds),
      files: { nested: 6, scanned: 12 },
      // An address has 256 connections.
      nuisances: { searches: 20, slowBodies: 300, burst: 200 },
      photoEveryMs: 3_000,
      bounds: { ready: 5_000, list: 1_000, signIn: 5_000 },
      say,
    }),
  'full disk': () => runFullDiskDrill({ directory: join(directory, 'disk'), say }),
};
const cannotFill = needsSmallDisk().skip;
for (const [name, run] of Object.entries(phases)) {
  if (name === 'full disk' && cannotFill !== false) {
    console.log(`left out: ${name}: ${cannotFill}`);
    continue;
  }
  try {
    const report = await run();
    Object.assign(figures, report.figures);
    problems.push(...report.problems);
  } catch (error) {
    problems.push((error as Error).stack ?? String(error));
  }
}
console.log();
for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(48)}${value}`);
console.log();
console.log(JSON.stringify(figures));
for (const problem of problems) console.log(problem);
if (values.keep || problems.length > 0) console.log(`kept: ${directory}`);
else await rm(directory, { recursive: true, force: true, maxRetries: 3 });
console.log(problems.length === 0 ? 'drill passed' : `drill FAILED: ${problems.length} problems`);
// At once: what is still open, such as connections to servers that are gone, has nothing more to say.
process.exit(problems.length === 0 ? 0 : 1);
