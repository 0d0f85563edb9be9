import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FloorTask, Spent } from './bareSharp.ts';
import type { CorpusPhoto } from '../corpus/photoCorpus.ts';

/** What bare sharp took for how many photos. */
export interface Floor extends Spent {
  readonly photos: number;
  /** CPU seconds per photo of the same with the encoder set as Hearth sets it. */
  readonly tunedCpuSecondsPerPhoto: number;
}

/** What bare sharp takes for these photos on all cores, in a process of its own that has warmed up on a few of them. */
export const measureFloor = async (photos: readonly CorpusPhoto[]): Promise<Floor> => {
  const child = fork(fileURLToPath(new URL('bareSharp.ts', import.meta.url)));
  try {
    const measure = async (task: FloorTask): Promise<Spent> => {
      child.send(task);
      const [spent] = (await Promise.race([once(child, 'message'), failedExit(child)])) as [Spent];
      return spent;
    };
    await measure({ photos: photos.slice(0, warmUpPhotos), isTuned: false });
    const asItComes = await measure({ photos, isTuned: false });
    const tuned = await measure({ photos, isTuned: true });
    return { ...asItComes, photos: photos.length, tunedCpuSecondsPerPhoto: tuned.cpuSeconds / photos.length };
  } finally {
    child.kill();
  }
};

const warmUpPhotos = 8;

const failedExit = async (child: ReturnType<typeof fork>): Promise<never> => {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`bare sharp ended with ${signal ?? code}`);
};
