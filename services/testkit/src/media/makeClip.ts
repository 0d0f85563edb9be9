import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeVideo, type TestVideo } from './makeVideo.ts';

/** Makes an MP4 that browsers play, of five frames of the picture unless `video` says otherwise. */
export const makeClip = async (picture: Buffer, video: Partial<TestVideo> = {}): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-test-clip-'));
  try {
    const path = join(folder, 'clip.mp4');
    await makeVideo(path, { pictures: Array.from({ length: 5 }, () => picture), encoder: 'libx264', ...video });
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
};
