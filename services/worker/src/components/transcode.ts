import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import { isItemShared } from '@hearth/core/db/items/sharedItems.ts';
import { isOriginalKey, motionKey, previewKey, sharedVideoKey } from '@hearth/core/objects/keys.ts';
import { clipVersion, versionOf } from '@hearth/core/pipeline.ts';
import type { Component, ComponentOutcome, RunControl } from '../context/component.ts';
import type { ItemDeps } from '../context/deps.ts';
import { exiftoolCapability } from '../context/tools.ts';
import { hasFfmpeg } from '../media/formats/decodableTypes.ts';
import type { Exiftool } from '../media/exiftool.ts';
import { readMediaTags } from '../media/readMediaTags.ts';
import { unreadable } from '../media/errors/readTrouble.ts';
import { renderVideo } from '../media/renderVideo.ts';
import type { MakingOfVideo } from '../media/video/transcodeProtocol.ts';
import { transcodeVideo } from '../media/video/transcodeVideo.ts';

const version = versionOf('TRANSCODE');

const capability = 'transcode video';

const notApplicable = { state: 'SKIPPED', reason: 'NOT_APPLICABLE' } as const;

/**
 * Makes a video that browsers play from a video that they do not play, and from the clip in a motion photo. For a shared video that browsers play,
 * makes the copy without metadata for visitors.
 */
export const transcode: Component = {
  name: 'TRANSCODE',
  // exiftool finds the clips in photos.
  opens: ['exiftool'],
  capabilities: hasFfmpeg() ? [capability] : [],
  run: async (deps, { item, original }, control) => {
    if (!hasFfmpeg()) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: capability };
    const folder = await mkdtemp(join(deps.scratchDirectory, 'transcode-'));
    try {
      const work = { deps, item, path: await original(), folder, control };
      return await (item.type === 'VIDEO' ? transcodeFilm(work) : keepClip(work));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** An item that is being worked on: its original, and a folder that is removed afterwards. */
interface Work {
  readonly deps: ItemDeps;
  readonly item: MediaItemRow;
  readonly path: string;
  readonly folder: string;
  readonly control: RunControl;
}

const transcodeFilm = async (work: Work): Promise<ComponentOutcome> => {
  const { deps, item } = work;
  if (item.preview_key !== null && isOriginalKey(item.preview_key)) {
    if (!(await isItemShared(deps.db, item))) return notApplicable;
    const shared_video_key = sharedVideoKey(item.user_id, item.id, version);
    const warnings = await putVideo(work, 'remux', shared_video_key);
    return { state: 'DONE', warnings, changes: { shared_video_key } };
  }
  const preview_key = previewKey(item.user_id, item.id, version, 'mp4');
  const warnings = await putVideo(work, 'transcode', preview_key);
  return { state: 'DONE', warnings, changes: { preview_key } };
};

const keepClip = async (work: Work): Promise<ComponentOutcome> => {
  const { deps, item } = work;
  if (deps.exiftool === undefined) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: exiftoolCapability };
  const path = await cutClip(work, deps.exiftool);
  if (path === undefined) return notApplicable;
  const { isPlayable } = await renderVideo(path, deps);
  const motion_key = motionKey(item.user_id, item.id, clipVersion);
  const warnings = await putVideo({ ...work, path }, isPlayable ? 'remux' : 'transcode', motion_key);
  return { state: 'DONE', warnings, changes: { motion_key, shared_video_key: motion_key } };
};

/** Copies the video out of a photo; undefined where it has none. */
const cutClip = async ({ item, path, folder }: Work, exiftool: Exiftool): Promise<string | undefined> => {
  const { motionVideo } = await readMediaTags(exiftool, path, item.mime_type);
  if (motionVideo === undefined) return undefined;
  const { begin, end } = motionVideo;
  const clip = join(folder, 'clip.mp4');
  await pipeline(createReadStream(path, { start: begin, end: end - 1 }), createWriteStream(clip));
  if ((await stat(clip)).size < end - begin) throw unreadable(new Error('the photo ends before its clip does'));
  return clip;
};

/** Makes a playable video of a file and stores it under `key`; answers the warnings. */
const putVideo = async (
  { deps: { config, confinement, objects }, path, folder, control: { signal, report } }: Work,
  how: MakingOfVideo,
  key: string,
): Promise<readonly string[]> => {
  const target = join(folder, 'playable.mp4');
  const { maxPixels } = config;
  const { warnings } = await transcodeVideo(path, target, { how, maxPixels, confinement, onProgress: report, signal });
  await objects.put(key, createReadStream(target), { signal });
  return warnings;
};
