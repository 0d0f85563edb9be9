import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { watchFamily } from './processes.ts';
import { drillResumable } from './largeUploadResumable.ts';
import { drillWhole } from './largeUploadWhole.ts';

/*
 * npm run drill:large: one large file goes in and comes back while the memory of all processes is watched; then a client
 * vanishes half-way of another one.
 *
 * npm run drill:large -- --tus [--on folder|s3]: a file of 5 GiB goes in by the tus protocol, through three cut connections, a change
 * of replica and a killed process of the API.
 */
const { values } = parseArgs({
  options: {
    gib: { type: 'string' },
    tus: { type: 'boolean', default: false },
    on: { type: 'string', default: 'folder' },
  },
});
const GiB = 2 ** 30;
const sizeBytes = Math.round(Number(values.gib ?? (values.tus ? 5 : 4)) * GiB);
if (values.on !== 'folder' && values.on !== 's3') throw new Error('--on wants folder or s3');

// A worker fetches what does not lie in a folder.
const neededBytes = (values.tus && values.on === 's3' ? 2 * sizeBytes : sizeBytes) + 2 * GiB;
const { bavail, bsize } = await statfs(tmpdir());
if (bavail * bsize < neededBytes) {
  console.log(`${tmpdir()} has ${(bavail * bsize) / GiB} GiB free, and this needs ${neededBytes / GiB}: set TMPDIR`);
  process.exit(1);
}
const directory = await mkdtemp(join(tmpdir(), 'hearth-large-'));
const family = watchFamily();
const problems: string[] = [];
const drill = { directory, family, sizeBytes };
try {
  problems.push(...(await (values.tus ? drillResumable(drill, values.on) : drillWhole(drill))));
} catch (error) {
  problems.push((error as Error).stack ?? String(error));
} finally {
  for (const member of family.living()) family.signal(member, 'SIGKILL');
  await family.waitForEnd(10_000);
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'drill passed' : 'drill FAILED');
process.exit(problems.length === 0 ? 0 : 1);
