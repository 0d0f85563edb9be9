import { parseArgs } from 'node:util';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { drillAsProgram } from '@hearth/testkit/hearth/drill.ts';
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
    seed: { type: 'string', default: String(testSeed) },
    keep: { type: 'boolean', default: false },
  },
});
const on = values.on as keyof typeof waysToRun;
if (!(on in waysToRun)) throw new Error(`--on ${on}: expected ${Object.keys(waysToRun).join(' or ')}`);
console.log(`${on}, seed ${values.seed}`);
await drillAsProgram(
  [
    (context) =>
      runDrill({
        ...context,
        on,
        photos: Number(values.photos),
        kills: Number(values.kills),
        empties: Number(values.empties),
        awaySeconds: on === 'cluster' ? Number(values.away) : 0,
        seed: Number(values.seed),
      }),
  ],
  { repeat: `with seed ${values.seed}`, keep: values.keep },
);
