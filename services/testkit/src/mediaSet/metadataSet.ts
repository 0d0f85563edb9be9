import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Exiftool } from '@hearth/worker/media/exiftool/exiftool.ts';
import { readMediaTags } from '@hearth/worker/media/metadata/readMediaTags.ts';
import { readMetadata, type PhotoMetadata } from '@hearth/worker/media/metadata/readMetadata.ts';
import { mediaFolder, type ExpectedPhoto } from './mediaSet.ts';

/** Expected metadata of a photo or video in the manifest of the test media. `null` means that there must be no value. */
export interface ExpectedMetadata extends Omit<ExpectedPhoto, 'outcome'> {
  readonly outcome: 'READY' | 'FAILED' | '400';
  readonly category?: string;
  readonly durationSeconds?: number;
  readonly fps?: number;
  readonly captureTimeSource?: string;
}

/** A photo or video of the test media, even if it cannot be shown. */
export interface MetadataFile {
  /** Path in the set, as in the manifest. */
  readonly name: string;
  readonly path: string;
  readonly expected: ExpectedMetadata;
}

/** Returns all files of the test media that Hearth accepts, in the order of the manifest; none if the media are missing. */
export function listMetadataFiles(): MetadataFile[] {
  if (!mediaFolder) return [];
  const folder = mediaFolder;
  const manifest: { files: { path: string; expected: ExpectedMetadata }[] } = JSON.parse(
    readFileSync(join(folder, 'MANIFEST.json'), 'utf8'),
  );
  return manifest.files
    .filter(({ expected }) => expected.outcome !== '400')
    .map(({ path, expected }) => ({ name: path, path: join(folder, path), expected }));
}

/**
 * Reads the files as the component METADATA does: from a path that does not reveal the name. Uses a time zone in which no
 * test file was taken.
 */
export async function readMetadataFiles(
  exiftool: Exiftool,
  files: readonly MetadataFile[],
): Promise<(MetadataFile & { readonly found: PhotoMetadata })[]> {
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
