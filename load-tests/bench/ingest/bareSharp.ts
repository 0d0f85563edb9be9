import { availableParallelism } from 'node:os';
import sharp from 'sharp';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import type { CorpusPhoto } from '../corpus/photoCorpus.ts';

/*
 * The child program of `floor.ts`: renders a preview and a thumbnail of each photo with plain sharp, the baseline of
 * the benchmark.
 * It decodes each photo once with shrink-on-load. The preview keeps the colour profile, and the thumbnail is resized
 * from the preview. Uploads, storage and metadata are not part of the baseline. One photo per core is rendered at a
 * time, each on one thread. With `isTuned` the preview is encoded with Hearth's settings, which cost less CPU.
 */

/** Cost of rendering the photos. */
export interface CpuTime {
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Message from the parent: the photos to render once. */
export interface BaselineTask {
  readonly photos: readonly CorpusPhoto[];
  readonly isTuned: boolean;
}

sharp.concurrency(1);
sharp.cache(false);

process.on('message', (task: BaselineTask) => void renderAll(task).then((cpuTime) => process.send?.(cpuTime)));

const renderAll = async ({ photos, isTuned }: BaselineTask): Promise<CpuTime> => {
  const begunAt = performance.now();
  const cpuBefore = process.cpuUsage();
  await mapConcurrently(availableParallelism(), photos, ({ path }) => render(path, isTuned));
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - begunAt) / 1_000 };
};

const render = async (path: string, isTuned: boolean): Promise<void> => {
  const preview = await sharp(path, { sequentialRead: true, ignoreIcc: true })
    .autoOrient()
    .resize(1440, 1440, { fit: 'inside' })
    .keepIccProfile()
    .jpeg({ quality: 80, optimiseCoding: !isTuned })
    .toBuffer();
  await sharp(preview).resize(320, 320, { fit: 'inside' }).webp({ quality: 75, effort: 2 }).toBuffer();
};
