import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import { prepareCorpus } from '../bench/corpus/photoCorpus.ts';

/** The photos that a load can be run with. Each is uploaded many times, every time with other bytes behind its end. */
export const photoKinds = ['phone', 'small'] as const;
export type PhotoKind = (typeof photoKinds)[number];

/** Different pictures of each kind. */
const count = 6;

/**
 * Paths of photos: as a phone takes them, with 12 megapixels and 2 to 5 MB, or small ones of a few kB, of which an archive fits into a ConfigMap. They are made once and
 * kept in the cache.
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
