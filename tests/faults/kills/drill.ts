import { parseArgs } from 'node:util';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { runDrillAsProgram } from '@hearth/testkit/hearth/drill.ts';
import { runDrill, waysToRun } from './runDrill.ts';

/*
 * npm run drill: the full kill test, in one of the two deployment modes. `--on cluster` needs the tools of `npm run
 * tools`.
 * `--away` stops the object store for that many seconds halfway, unless it is a folder. `--seed` repeats the plan of
 * another run, but not its exact moments. `--keep` keeps the data and the logs of all starts, as a failure does.
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
await runDrillAsProgram(
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
