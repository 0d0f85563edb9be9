import { parseArgs } from 'node:util';
import { testSeed } from '@hearth/testkit/run/testSeed.ts';
import { drillAsProgram } from '@hearth/testkit/hearth/drill.ts';
import { withFreshHearth } from '../media/freshHearth.ts';
import { importPhone } from './importPhone.ts';
import { takePhone } from './takePhone.ts';

/*
 * npm run drill:phone [-- --items 2000 --seed N]: the import of a whole phone into Hearth as `npm start` runs it: HEICs with their Live Photo
 * halves, videos, JPEGs. Nothing may need attention, and photos may not wait for videos. Ends with 1 where something is not as it should be.
 */
const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(testSeed) },
  },
});
const phone = await takePhone(Number(values.items), console.log);
console.log(`importing ${phone.files.length} files, seed ${values.seed} …`);
await drillAsProgram(
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
