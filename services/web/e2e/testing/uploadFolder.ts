import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';

export interface UploadFolder {
  readonly path: string;
  /** SHA-256 of each file in hexadecimal. */
  readonly checksums: readonly string[];
  readonly sizeBytes: number;
}

const media = getTestDataFolder('media');

/** Small videos of several formats in the test media. */
const videoFiles = ['video/blue-go-video.mp4', 'video/sample_av1.mp4', 'video/webm.webm', 'video/earth.mov'];

/**
 * Creates `count` distinct files in subfolders of a hundred: 10 % videos, 10 % videos of Live Photos next to their
 * photo, and photos of up to 600 kB. Photos of phones are larger, so an interruption costs relatively less there.
 */
export const makeUploadFolder = async (path: string, count: number): Promise<UploadFolder> => {
  const clips = await readVideos(videoFiles);
  const [livePart] = await readVideos(['live-photo/IMG_1001.MOV']);
  const checksums: string[] = [];
  let sizeBytes = 0;
  for (let index = 0; index < count; index += 1) {
    const folder = join(path, `part ${Math.floor(index / 100)}`);
    if (index % 100 === 0) await mkdir(folder, { recursive: true });
    const clip = clips[index % clips.length]!;
    const [name, bytes] =
      index % 10 === 9
        ? [`VID_${index}${clip.ending}`, appendBytes(clip.bytes, 1000)]
        : index % 10 === 8
          ? [`IMG_${index - 1}${livePart!.ending}`, appendBytes(livePart!.bytes, 1000)]
          : [
              `IMG_${index}.JPG`,
              appendBytes(await makeTestPhoto({ seed: index, width: 160, height: 120 }), 100_000 + index * 1_000),
            ];
    await writeFile(join(folder, name), bytes);
    checksums.push(createHash('sha256').update(bytes).digest('hex'));
    sizeBytes += bytes.length;
  }
  return { path, checksums, sizeBytes };
};

/** Reads videos of the test media, or generates one if they are missing. */
const readVideos = async (paths: readonly string[]): Promise<{ readonly ending: string; readonly bytes: Buffer }[]> => {
  const found = paths.map((path) => join(media, path)).filter((path) => existsSync(path));
  if (found.length === 0)
    return [{ ending: '.AVI', bytes: await makeTestVideo({ seed: 1, frames: 5, width: 160, height: 120 }) }];
  return Promise.all(
    found.map(async (path) => ({
      ending: path.slice(path.lastIndexOf('.')).toUpperCase(),
      bytes: await readFile(path),
    })),
  );
};

/**
 * Appends random bytes after the end of a file, in an MPEG-4 box that players ignore. Decoders of other formats do not
 * read that far.
 */
const appendBytes = (file: Buffer, length: number): Buffer => {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(length + header.length);
  header.write('free', 4, 'latin1');
  return Buffer.concat([file, header, randomBytes(length)]);
};
