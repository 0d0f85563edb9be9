import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { isOriginalKey, motionKey, previewKey } from '@hearth/core/objects/keys.ts';
import { versionOf } from '@hearth/core/pipeline.ts';
import type { Component, ComponentOutcome, RunControl } from '../component.ts';
import type { Deps } from '../deps.ts';
import { hasFfmpeg } from '../media/decodableTypes.ts';
import type { Exiftool } from '../media/exiftool.ts';
import { readMediaTags } from '../media/readMediaTags.ts';
import { renderVideo } from '../media/video/renderVideo.ts';
import { transcodeVideo } from '../media/video/transcodeVideo.ts';

const version = versionOf('TRANSCODE');

const capability = 'transcode video';
const exiftoolCapability = 'run exiftool';

const notApplicable = { state: 'SKIPPED', reason: 'NOT_APPLICABLE' } as const;

/** Makes the video that browsers play: of a video that they do not play, and of the clip in a motion photo. */
export const transcode: Component = {
  name: 'TRANSCODE',
  capabilities: hasFfmpeg() ? [capability] : [],
  run: async (deps, { item, original }, control) => {
    if (!hasFfmpeg()) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: capability };
    const folder = await mkdtemp(join(deps.scratchDirectory, 'transcode-'));
    try {
      return await (item.type === 'VIDEO'
        ? transcodeFilm(deps, item, await original(), folder, control)
        : keepClip(deps, item, await original(), folder, control));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const transcodeFilm = async (
  deps: Deps,
  item: MediaItemRow,
  path: string,
  folder: string,
  control: RunControl,
): Promise<ComponentOutcome> => {
  if (item.preview_key !== null && isOriginalKey(item.preview_key)) return notApplicable;
  const preview_key = previewKey(item.user_id, item.id, version, 'mp4');
  const warnings = await putTranscoded(deps, { path, folder, key: preview_key }, control);
  return { state: 'DONE', warnings, changes: { preview_key } };
};

const keepClip = async (
  deps: Deps,
  item: MediaItemRow,
  path: string,
  folder: string,
  control: RunControl,
): Promise<ComponentOutcome> => {
  if (deps.exiftool === undefined) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: exiftoolCapability };
  const clip = await cutClip(deps.exiftool, item, path, join(folder, 'clip.mp4'));
  if (clip === undefined) return notApplicable;
  const { isPlayable } = await renderVideo(clip, deps);
  const motion_key = motionKey(item.user_id, item.id, version);
  if (!isPlayable) {
    const warnings = await putTranscoded(deps, { path: clip, folder, key: motion_key }, control);
    return { state: 'DONE', warnings, changes: { motion_key } };
  }
  await deps.objects.put(motion_key, createReadStream(clip), { signal: control.signal });
  return { state: 'DONE', warnings: [], changes: { motion_key } };
};

/** Copies the video out of a photo; undefined where it has none. */
const cutClip = async (
  exiftool: Exiftool,
  item: MediaItemRow,
  path: string,
  target: string,
): Promise<string | undefined> => {
  const { motionVideo } = await readMediaTags(exiftool, path, item.mime_type);
  if (motionVideo === undefined) return undefined;
  const { begin, end } = motionVideo;
  await pipeline(createReadStream(path, { start: begin, end: end - 1 }), createWriteStream(target));
  return target;
};

/** Transcodes a file and stores the result under `key`; answers the warnings. */
const putTranscoded = async (
  { config, objects }: Deps,
  { path, folder, key }: { readonly path: string; readonly folder: string; readonly key: string },
  { signal, report }: RunControl,
): Promise<readonly string[]> => {
  const target = join(folder, 'playable.mp4');
  const { warnings } = await transcodeVideo(path, target, { maxPixels: config.maxPixels, onProgress: report, signal });
  await objects.put(key, createReadStream(target), { signal });
  return warnings;
};
