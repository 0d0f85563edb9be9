import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createTestBucket, startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { describeMachine } from '@hearth/testkit/figures/publish.ts';
import type { Measured, MeasuredStore } from './objectsProcess.ts';

/*
 * npm run bench:objects [-- --megabytes 2048 --keys 20000]
 *
 * Measures the CPU and memory growth of a large upload of unknown size and of a long listing. Each object store runs in
 * a separate process. Exits with 1 if writing the object needed more than 100 MB.
 */
const maxWriteMegabytes = 100;

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '2048' },
    keys: { type: 'string', default: '20000' },
  },
});

const measure = async (store: MeasuredStore): Promise<Measured> => {
  const child = fork(fileURLToPath(new URL('objectsProcess.ts', import.meta.url)));
  child.send({ store, megabytes: Number(values.megabytes), keys: Number(values.keys) });
  const [results] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [Measured | number | null];
  if (typeof results !== 'object' || results === null) throw new Error(`measuring ended with ${results}`);
  return results;
};

const directory = await makeFolder('bench-objects');
const s3 = await startTestS3();
try {
  const { settings } = await createTestBucket(s3);
  const results = { folder: await measure({ directory }), S3: await measure({ s3: settings }) };
  console.log(`${describeMachine()}\n`);
  for (const [store, steps] of Object.entries(results)) {
    for (const [step, { grownMegabytes, cpuSeconds, seconds }] of Object.entries(steps)) {
      const [memory, cpu, time] = [grownMegabytes.toFixed(0), cpuSeconds.toFixed(1), seconds.toFixed(0)];
      console.log(
        `${store.padEnd(8)}${step.padEnd(24)}${memory.padStart(4)} MB${cpu.padStart(8)} s CPU${time.padStart(6)} s`,
      );
    }
    if (steps.write.grownMegabytes > maxWriteMegabytes) process.exitCode = 1;
  }
} finally {
  await s3.stop();
  await removeFolder(directory);
}
