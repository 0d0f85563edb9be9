import { parseArgs } from 'node:util';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { runDrillAsProgram } from '@hearth/testkit/hearth/drill.ts';
import { withFreshHearth } from '../media/freshHearth.ts';
import { importPhone } from './importPhone.ts';
import { makePhoneLibrary } from './makePhoneLibrary.ts';

/*
 * npm run drill:phone [-- --items 2000 --seed N]: imports a whole phone into Hearth, run like `npm start`: HEICs with
 * their Live Photo videos, other videos, JPEGs. Nothing may fail, and photos may not wait for videos. Exits with 1 on a
 * problem.
 */
const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(testSeed) },
  },
});
const phone = await makePhoneLibrary(Number(values.items), console.log);
console.log(`importing ${phone.files.length} files, seed ${values.seed} …`);
await runDrillAsProgram(
  [
    async ({ directory }) => {
      const seed = Number(values.seed);
      const { result, deaths } = await withFreshHearth((library) => importPhone(phone, seed, library), {
        inFolder: directory,
      });
      return { figures: result.figures, problems: [...result.faults, ...result.missed, ...deaths] };
    },
  ],
  { repeat: `with seed ${values.seed}` },
);
