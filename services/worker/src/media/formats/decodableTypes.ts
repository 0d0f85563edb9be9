import { createRequire } from 'node:module';
import { photoFormats } from './photoFormats.ts';
import { videoContainers, type VideoContainerSpec } from './videoFormats.ts';

/**
 * The types of still pictures that this installation can decode, provided that it has exiftool. Loads nothing: workers hold no decoder
 * themselves.
 */
export function listDecodableTypes(): readonly string[] {
  const isHere = { sharp: true, heif: true, raw: true, ffmpeg: hasFfmpeg() } as const;
  return Object.values(photoFormats)
    .filter(({ decoder }) => isHere[decoder])
    .flatMap<string>(({ mimeTypes }) => mimeTypes);
}

/** The types of videos, all of which FFmpeg opens; empty where FFmpeg is missing. */
export const listVideoTypes = (): readonly string[] => (hasFfmpeg() ? videoTypes : []);

const videoTypes = Object.values<VideoContainerSpec>(videoContainers).flatMap(({ mimeTypes }) => mimeTypes);

/** Whether node-av has FFmpeg for this machine: each platform has a package of its own. */
export function hasFfmpeg(): boolean {
  const { platform, arch } = process;
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('node-av'));
    return resolve(`@seydx/node-av-${platform}-${arch}${platform === 'win32' ? '-msvc' : ''}/package.json`) !== '';
  } catch {
    return false;
  }
}
