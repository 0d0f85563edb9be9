import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BaselineTask, CpuTime } from './bareSharp.ts';
import type { CorpusPhoto } from '../corpus/photoCorpus.ts';

/** Cost of rendering with plain sharp. */
export interface Baseline extends CpuTime {
  readonly photos: number;
  /** CPU seconds per photo with Hearth's encoder settings. */
  readonly tunedCpuSecondsPerPhoto: number;
}

/** Measures plain sharp on all cores, in a separate process that is warmed up with a few photos. */
export const measureBaseline = async (photos: readonly CorpusPhoto[]): Promise<Baseline> => {
  const child = fork(fileURLToPath(new URL('bareSharp.ts', import.meta.url)));
  try {
    const measure = async (task: BaselineTask): Promise<CpuTime> => {
      child.send(task);
      const [spent] = (await Promise.race([once(child, 'message'), rejectOnExit(child)])) as [CpuTime];
      return spent;
    };
    await measure({ photos: photos.slice(0, warmUpPhotos), isTuned: false });
    const untuned = await measure({ photos, isTuned: false });
    const tuned = await measure({ photos, isTuned: true });
    return { ...untuned, photos: photos.length, tunedCpuSecondsPerPhoto: tuned.cpuSeconds / photos.length };
  } finally {
    child.kill();
  }
};

const warmUpPhotos = 8;

const rejectOnExit = async (child: ReturnType<typeof fork>): Promise<never> => {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`bare sharp exited with ${signal ?? code}`);
};
