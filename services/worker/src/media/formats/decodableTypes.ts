import { createRequire } from 'node:module';
import { photoFormats } from './photoFormats.ts';
import { videoContainers, type VideoContainerSpec } from './videoFormats.ts';

/**
 * Returns the MIME types of still pictures that this installation can decode, assuming that exiftool is installed. Loads no decoder, since workers
 * must not hold one.
 */
export function listDecodableTypes(): readonly string[] {
  const isAvailable = { sharp: true, heif: true, raw: true, ffmpeg: hasFfmpeg() } as const;
  return Object.values(photoFormats)
    .filter(({ decoder }) => isAvailable[decoder])
    .flatMap<string>(({ mimeTypes }) => mimeTypes);
}

/** Returns the MIME types of videos; none if FFmpeg is missing. */
export const listVideoTypes = (): readonly string[] => (hasFfmpeg() ? videoTypes : []);

const videoTypes = Object.values<VideoContainerSpec>(videoContainers).flatMap(({ mimeTypes }) => mimeTypes);

/** True if node-av has an FFmpeg for this machine: each platform has its own package. */
export function hasFfmpeg(): boolean {
  const { platform, arch } = process;
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('node-av'));
    return resolve(`@seydx/node-av-${platform}-${arch}${platform === 'win32' ? '-msvc' : ''}/package.json`) !== '';
  } catch {
    return false;
  }
}
