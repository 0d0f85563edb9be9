import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Exiftool } from '@hearth/worker/media/exiftool/exiftool.ts';
import { readMediaTags } from '@hearth/worker/media/metadata/readMediaTags.ts';
import { readMetadata, type PhotoMetadata } from '@hearth/worker/media/metadata/readMetadata.ts';
import { listTestFiles, type TestPhoto } from './mediaSet.ts';

/** Returns all files of the test media that Hearth accepts, in the order of the manifest; none if the media are missing. */
export const listMetadataFiles = (): TestPhoto[] => listTestFiles(({ outcome }) => outcome !== '400');

/**
 * Reads the files as the component METADATA does: from a path that does not reveal the name. Uses a time zone in which no
 * test file was taken.
 */
export async function readMetadataFiles(
  exiftool: Exiftool,
  files: readonly TestPhoto[],
): Promise<(TestPhoto & { readonly found: PhotoMetadata })[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-metadata-'));
  try {
    return await Promise.all(
      files.map(async (file, index) => {
        const path = join(folder, `${index}`);
        await symlink(file.path, path);
        const { tags, motionVideo } = await readMediaTags(exiftool, path, file.expected.mimeType);
        const found = readMetadata(tags, {
          filename: basename(file.path),
          timeZone: 'Pacific/Chatham',
          uploadedAt: new Date(),
          hasMotionVideo: motionVideo !== undefined,
        });
        return { ...file, found };
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
