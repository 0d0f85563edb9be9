import { makeTestVideo } from '@hearth/testkit/media/testVideo.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import type { PickedFile } from './testUser.ts';

/** Creates photos of consecutive days, oldest first: `IMG_2001.jpg` is from 1 June 2022, and so on. */
export const makePhotos = (count: number): Promise<PickedFile[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `IMG_${2001 + index}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await makeTestPhoto({
        seed: 100 + index,
        takenAt: `2022:06:${String(index + 1).padStart(2, '0')} 12:00:00`,
      }),
    })),
  );

/** Creates a short video that needs transcoding for browsers. */
export const makeVideo = async (): Promise<PickedFile> => ({
  name: 'MVI_3001.avi',
  mimeType: 'video/x-msvideo',
  buffer: await makeTestVideo({ seed: 7, frames: 25, width: 320, height: 240 }),
});
