import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { runDrillAsProgram } from '@hearth/testkit/hearth/drill.ts';
import { watchProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { drillResumable } from './largeUploadResumable.ts';
import { drillSingle } from './largeUploadSingle.ts';

/*
 * npm run drill:large: uploads and downloads one large file while the memory of all processes is measured. Then a
 * client disappears halfway through another upload.
 *
 * npm run drill:large -- --tus [--on folder|s3]: uploads 5 GiB by the tus protocol, through three cut connections, a
 * change of replica and a killed API process.
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
const { on } = values;
if (on !== 'folder' && on !== 's3') throw new Error('--on: expected folder or s3');

// With S3 a worker keeps a second, local copy of the file.
const neededBytes = (values.tus && on === 's3' ? 2 * sizeBytes : sizeBytes) + 2 * GiB;
const { bavail, bsize } = await statfs(tmpdir());
if (bavail * bsize < neededBytes) {
  console.log(
    `${tmpdir()} has ${(bavail * bsize) / GiB} GiB free, but ${neededBytes / GiB} GiB are needed: set TMPDIR to another folder`,
  );
  process.exit(1);
}
await runDrillAsProgram([
  async ({ directory }) => {
    const processes = watchProcessTree();
    const drill = { directory, processes, sizeBytes };
    try {
      return { figures: {}, problems: await (values.tus ? drillResumable(drill, on) : drillSingle(drill)) };
    } finally {
      await processes.kill();
    }
  },
]);
