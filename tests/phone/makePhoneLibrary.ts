import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ExifTool } from 'exiftool-vendored';
import { toolsDirectory } from '@hearth/testkit/run/tools.ts';
import { prepareCorpus } from '@hearth/load-tests/bench/corpus/photoCorpus.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { getMediaPath } from '../media/manifest.ts';

/** A file from a phone. */
export interface PhoneFile {
  readonly path: string;
  readonly filename: string;
  readonly kind: 'heic' | 'liveVideo' | 'video' | 'jpeg';
}

/** Contents of a phone. */
export interface PhoneLibrary {
  /** In capture order. A Live Photo is two files. */
  readonly files: readonly PhoneFile[];
  /** Number of photos and videos as a user counts them. */
  readonly items: number;
  readonly livePhotos: number;
}

/**
 * Generates the contents of a phone:
 * - 60 % HEICs, each with the video of a Live Photo
 * - 15 % videos in H.264 and HEVC, SDR and HDR, up to 4K
 * - 25 % JPEGs
 *
 * HEICs and videos are copies of test media, made unique by time and identifier. An item depends only on its number.
 * Files are cached outside the project.
 */
export const makePhoneLibrary = async (items: number, log: (line: string) => void): Promise<PhoneLibrary> => {
  const directory = join(toolsDirectory(process.env), `phone-${phoneVersion}`);
  await mkdir(directory, { recursive: true });
  const kinds = Array.from({ length: items }, (_, index) => chooseKind(index));
  const jpegs = await prepareCorpus(kinds.filter((kind) => kind === 'jpeg').length, log);
  const exiftool = new ExifTool({ maxProcs: 2 });
  try {
    log('making HEICs and videos (once) …');
    const sourceFiles = await prepareSourceFiles(directory, exiftool);
    const files = await mapConcurrently(4, kinds, async (kind, index): Promise<PhoneFile[]> => {
      if (kind === 'jpeg') {
        const number = kinds.slice(0, index).filter((other) => other === 'jpeg').length;
        return [{ ...jpegs[number]!, kind }];
      }
      const makeItemFile = (base: string, as: PhoneFile['kind'], tags: Record<string, string>): Promise<PhoneFile> =>
        makePhoneFile(base, join(directory, `IMG_${String(index + 1).padStart(5, '0')}`), as, tags, exiftool);
      const time = new Date(Date.UTC(2016, 0, 1) + index * 7_919_000).toISOString().slice(0, 19).replace('T', ' ');
      const quickTimeTags = { 'QuickTime:CreateDate': time };
      if (kind === 'video')
        return [await makeItemFile(sourceFiles.videos[index % sourceFiles.videos.length]!, kind, quickTimeTags)];
      // The identifier depends only on the number.
      const identifier = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      return [
        await makeItemFile(sourceFiles.photos[index % sourceFiles.photos.length]!, kind, {
          'Apple:ContentIdentifier': identifier,
          DateTimeOriginal: time,
        }),
        await makeItemFile(sourceFiles.liveVideo, 'liveVideo', {
          ...quickTimeTags,
          'Keys:ContentIdentifier': identifier,
        }),
      ];
    });
    return { files: files.flat(), items, livePhotos: kinds.filter((kind) => kind === 'heic').length };
  } finally {
    await exiftool.end();
  }
};

/** Increment this when the files change. */
const phoneVersion = 1;

/** Of 20 items, 12 are HEICs, 3 videos and 5 JPEGs, interleaved. */
const chooseKind = (index: number): 'heic' | 'video' | 'jpeg' => {
  const place = (index * 7) % 20;
  return place < 12 ? 'heic' : place < 15 ? 'video' : 'jpeg';
};

interface SourceFiles {
  readonly photos: readonly string[];
  readonly liveVideo: string;
  readonly videos: readonly string[];
}

const livePhoto = 'live-photo/IMG_1001.HEIC';

/** HEICs without maker notes get those of the Live Photo, because the identifier is stored there. */
const prepareSourceFiles = async (directory: string, exiftool: ExifTool): Promise<SourceFiles> => {
  const photos = ['heic/IMG_1034.heic', 'heic/IMG_2682.heic', 'heic/iphone_13_pro_max.HEIC'].map(
    async (name, index) => {
      const target = join(directory, `base-${index}.heic`);
      if (!(await exists(target))) {
        const copyMakerNotes = ['-TagsFromFile', getMediaPath(livePhoto), '-MakerNotes'];
        await makeFile(getMediaPath(name), target, async (part) => {
          await exiftool.write(part, {}, [...copyMakerNotes, '-overwrite_original']);
        });
      }
      return target;
    },
  );
  return {
    photos: [getMediaPath(livePhoto), ...(await Promise.all(photos))],
    liveVideo: getMediaPath('live-photo/IMG_1001.MOV'),
    videos: [
      'video/earth.mov',
      'video/portrait_4k60.mp4',
      'video/blue-go-video.mp4',
      'video/hlg10-color-test.mp4',
      'video/with-gps.mov',
      'video/h265_with_metadata_track.mp4',
    ].map(getMediaPath),
  };
};

const makePhoneFile = async (
  base: string,
  stem: string,
  kind: PhoneFile['kind'],
  tags: Record<string, string>,
  exiftool: ExifTool,
): Promise<PhoneFile> => {
  const extension = kind === 'heic' ? 'HEIC' : base.endsWith('.mp4') ? 'MP4' : 'MOV';
  const path = `${stem}.${extension}`;
  if (!(await exists(path))) {
    await makeFile(base, path, async (part) => {
      await exiftool.write(part, tags, ['-overwrite_original']);
    });
  }
  return { path, filename: path.slice(path.lastIndexOf('/') + 1), kind };
};

/** Writes the file atomically. */
const makeFile = async (from: string, to: string, change: (part: string) => Promise<void>): Promise<void> => {
  const part = `${to}.${randomUUID()}${to.slice(to.lastIndexOf('.'))}`;
  try {
    await copyFile(from, part);
    await chmod(part, 0o600);
    await change(part);
    await rename(part, to);
  } finally {
    await rm(part, { force: true });
  }
};

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;
