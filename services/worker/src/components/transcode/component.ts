import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { isItemShared } from '@hearth/core/items/sharedItems.ts';
import { isOriginalKey, motionKey, previewKey, sharedVideoKey } from '@hearth/core/objects/keys.ts';
import { clipVersion, getComponentVersion } from '@hearth/core/config/pipeline.ts';
import type { Component, ComponentOutcome, RunControl } from '../../context/component.ts';
import type { ItemDeps } from '../../context/deps.ts';
import { exiftoolCapability } from '../../context/tools.ts';
import { hasFfmpeg } from '../../media/formats/decodableTypes.ts';
import type { Exiftool } from '../../media/exiftool/exiftool.ts';
import { readMediaTags } from '../../media/metadata/readMediaTags.ts';
import { toUnreadableError } from '../../media/errors/readErrors.ts';
import type { TranscodeMethod } from '../../media/transcode/transcodeProtocol.ts';
import { transcodeVideo } from '../../media/transcode/transcodeVideo.ts';

const version = getComponentVersion('TRANSCODE');

const capability = 'transcode video';

const notApplicable = { state: 'SKIPPED', reason: 'NOT_APPLICABLE' } as const;

/**
 * Transcodes videos that browsers cannot play, and the clips in motion photos. For a shared video that browsers can play, makes a copy without
 * metadata.
 */
export const transcode: Component = {
  name: 'TRANSCODE',
  // exiftool locates the clips in photos.
  tools: ['exiftool'],
  capabilities: hasFfmpeg() ? [capability] : [],
  run: async (deps, { item, original }, control) => {
    if (!hasFfmpeg()) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: capability };
    const folder = await mkdtemp(join(deps.scratchDirectory, 'transcode-'));
    try {
      const job = { deps, item, path: await original(), folder, control };
      return await (item.type === 'VIDEO' ? transcodeItem(job) : storeMotionClip(job));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Inputs for processing one item. */
interface TranscodeJob {
  readonly deps: ItemDeps;
  readonly item: MediaItemRow;
  /** Path of the original, or of the clip extracted from it. */
  readonly path: string;
  /** Temporary folder. */
  readonly folder: string;
  readonly control: RunControl;
}

const transcodeItem = async (job: TranscodeJob): Promise<ComponentOutcome> => {
  const { deps, item } = job;
  if (item.preview_key !== null && isOriginalKey(item.preview_key)) {
    // Replaces an existing copy even if the item is no longer shared: the copy may be damaged, and a later share would use it.
    if (item.shared_video_key === null && !(await isItemShared(deps.db, item))) return notApplicable;
    const shared_video_key = sharedVideoKey(item.user_id, item.id, version);
    const { warnings, sizeBytes: shared_video_bytes } = await storeVideo(job, 'remux', shared_video_key);
    return { state: 'DONE', warnings, changes: { shared_video_key, shared_video_bytes } };
  }
  const preview_key = previewKey(item.user_id, item.id, version, 'mp4');
  const { warnings, sizeBytes: preview_bytes } = await storeVideo(job, 'transcode', preview_key);
  return { state: 'DONE', warnings, changes: { preview_key, preview_bytes } };
};

const storeMotionClip = async (job: TranscodeJob): Promise<ComponentOutcome> => {
  const { deps, item } = job;
  if (deps.exiftool === undefined) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: exiftoolCapability };
  const path = await extractClip(job, deps.exiftool);
  if (path === undefined) return notApplicable;
  const { isPlayable } = await deps.decoders.renderVideo(path);
  const motion_key = motionKey(item.user_id, item.id, clipVersion);
  const { warnings, sizeBytes } = await storeVideo({ ...job, path }, isPlayable ? 'remux' : 'transcode', motion_key);
  const motion = { motion_key, motion_bytes: sizeBytes };
  return {
    state: 'DONE',
    warnings,
    changes: { ...motion, shared_video_key: motion_key, shared_video_bytes: sizeBytes },
  };
};

/** Extracts the video from a motion photo; undefined if it has none. */
const extractClip = async ({ item, path, folder }: TranscodeJob, exiftool: Exiftool): Promise<string | undefined> => {
  const { motionVideo } = await readMediaTags(exiftool, path, item.mime_type);
  if (motionVideo === undefined) return undefined;
  const { begin, end } = motionVideo;
  const clip = join(folder, 'clip.mp4');
  await pipeline(createReadStream(path, { start: begin, end: end - 1 }), createWriteStream(clip));
  if ((await stat(clip)).size < end - begin)
    throw toUnreadableError(new Error('the photo ends before its embedded video'));
  return clip;
};

/** Makes a playable video of a file, stores it under `key`, and returns the warnings and the size of the stored object. */
const storeVideo = async (
  {
    deps: { config, confinement, decoderBudget, objects, timeoutFactor },
    path,
    folder,
    control: { signal, report },
  }: TranscodeJob,
  method: TranscodeMethod,
  key: string,
): Promise<{ readonly warnings: readonly string[]; readonly sizeBytes: number }> => {
  const target = join(folder, 'playable.mp4');
  const { maxPixels } = config;
  const { warnings } = await transcodeVideo(path, target, {
    method,
    maxPixels,
    confinement,
    budget: decoderBudget,
    timeoutFactor,
    onProgress: report,
    signal,
  });
  const sizeBytes = await objects.put(key, createReadStream(target), { signal });
  return { warnings, sizeBytes };
};
