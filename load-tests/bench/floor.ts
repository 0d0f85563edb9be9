import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Spent } from './bareSharp.ts';
import type { CorpusPhoto } from './photoCorpus.ts';

/** What bare sharp took for how many photos. */
export interface Floor extends Spent {
  readonly photos: number;
}

/** What bare sharp takes for these photos on all cores, in a process of its own that has warmed up on a few of them. */
export const measureFloor = async (photos: readonly CorpusPhoto[]): Promise<Floor> => {
  const child = fork(fileURLToPath(new URL('bareSharp.ts', import.meta.url)));
  try {
    for (const part of [photos.slice(0, warmUpPhotos), photos]) {
      child.send(part);
      const [spent] = (await Promise.race([once(child, 'message'), failedExit(child)])) as [Spent];
      if (part === photos) return { ...spent, photos: photos.length };
    }
    throw new Error('bare sharp was given no photos');
  } finally {
    child.kill();
  }
};

const warmUpPhotos = 8;

const failedExit = async (child: ReturnType<typeof fork>): Promise<never> => {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`bare sharp ended with ${signal ?? code}`);
};
