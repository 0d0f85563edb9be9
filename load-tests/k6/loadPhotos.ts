import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import { prepareCorpus } from '../bench/corpus/photoCorpus.ts';

/** Kinds of photos for a load. The scripts append random bytes to each upload, so that none is a duplicate. */
export const photoKinds = ['phone', 'small'] as const;
export type PhotoKind = (typeof photoKinds)[number];

/** Number of distinct photos per kind. */
const count = 6;

/**
 * Returns paths of photos: `phone` has 12 megapixels and 2 to 5 MB, `small` a few kB, so that an archive of them fits
 * into a ConfigMap. They are generated once and cached.
 */
export const prepareLoadPhotos = async (kind: PhotoKind, say: (line: string) => void): Promise<string[]> => {
  if (kind === 'phone') return (await prepareCorpus(count, say)).map(({ path }) => path);
  const directory = join(toolsDirectory(process.env), 'load-photos-1');
  await mkdir(directory, { recursive: true });
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const path = join(directory, `small-${index + 1}.jpg`);
      if ((await stat(path).catch(() => undefined)) !== undefined) return path;
      const part = `${path}.${process.pid}`;
      const takenAt = `2022:04:0${index + 1} 12:56:11`;
      await writeFile(part, await makeTestPhoto({ seed: 900 + index, width: 1024, height: 768, takenAt }));
      await rename(part, path);
      return path;
    }),
  );
};
