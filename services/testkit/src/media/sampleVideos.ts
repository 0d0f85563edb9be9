import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeVideo, type TestVideo } from './makeVideo.ts';
import { drawPhoto } from './testPhotos.ts';
import { testVideos } from './testVideos.ts';

/** Number of frames of a sample: enough for a group of pictures with references between frames. */
const frames = 8;

/** Makes a small video of every container and codec, by the names of `testVideos.ts`. */
export async function makeSampleVideos(): Promise<Readonly<Record<string, Buffer>>> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-samples-'));
  const drawing = await sharp(await drawPhoto(160, 120))
    .png()
    .toBuffer();
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp(drawing)
        .modulate({ hue: i * 20 })
        .png()
        .toBuffer(),
    ),
  );
  const samples: Record<string, Buffer> = {};
  try {
    for (const [name, video] of Object.entries<TestVideo>(testVideos(pictures))) {
      await makeVideo(join(folder, name), video);
      samples[name] = await readFile(join(folder, name));
    }
    return samples;
  } finally {
    await rm(folder, { recursive: true });
  }
}
