import { parseArgs } from 'node:util';
import { startFreshHearth } from '../media/freshHearth.ts';
import { importPhone, type PhoneReport } from './importPhone.ts';
import { takePhone } from './takePhone.ts';

/*
 * npm run drill:phone [-- --items 2000 --seed N]: the import of a whole phone into Hearth as `npm start` runs it: HEICs with their Live Photo
 * halves, videos, JPEGs. Nothing may need attention, and photos may not wait for videos. Ends with 1 where something is not as it should be.
 */
const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const phone = await takePhone(Number(values.items), console.log);
console.log(`importing ${phone.files.length} files, seed ${values.seed} …`);
const hearth = await startFreshHearth();
let report: PhoneReport | undefined;
let deaths: readonly string[] = [];
try {
  report = await importPhone(phone, Number(values.seed), hearth);
} finally {
  deaths = await hearth.stop();
}
console.log();
for (const [name, value] of Object.entries(report.figures)) console.log(`${name.padEnd(66)}${value}`);
console.log();
const problems = [...report.faults, ...report.missed, ...deaths];
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'the phone is in' : `${problems.length} problems with seed ${values.seed}`);
if (problems.length > 0) process.exitCode = 1;
