import { Readable } from 'node:stream';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { isOriginalKey, originalKey, posterKey, previewKey, thumbnailKey } from '@hearth/core/objects/keys.ts';
import { getComponentVersion } from '@hearth/core/config/pipeline.ts';
import type { Component, ComponentOutcome } from '../../context/component.ts';
import type { ItemDeps } from '../../context/deps.ts';
import { DecodeError } from '../../media/errors/decodeError.ts';
import { hasFfmpeg, listDecodableTypes, listVideoTypes } from '../../media/formats/decodableTypes.ts';
import { decodeCapability } from '../../media/formats/photoFormats.ts';
import type { RenderedPicture } from '../../media/pictures/renderedPicture.ts';
import { renderStill } from '../../media/previews/renderStill.ts';

const version = getComponentVersion('PREVIEW_THUMBNAIL');

/** Renders the preview of a photo or the poster of a video, the thumbnail and the placeholder. */
export const previewThumbnail: Component = {
  name: 'PREVIEW_THUMBNAIL',
  // exiftool extracts the previews embedded in RAW files.
  tools: ['exiftool'],
  capabilities: [...listDecodableTypes(), ...listVideoTypes()].map(decodeCapability),
  run: async (deps, { item, original }) => {
    try {
      return await (item.type === 'VIDEO' ? renderVideoPoster : renderPhotoPreview)(deps, item, await original());
    } catch (error) {
      if (!(error instanceof DecodeError && error.code === 'UNSUPPORTED')) throw error;
      // FFmpeg opens every known video format, so an unsupported video is not a missing decoder.
      if (item.type === 'VIDEO' && hasFfmpeg()) throw error;
      return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: decodeCapability(item.mime_type) };
    }
  },
};

const renderPhotoPreview = async (deps: ItemDeps, item: MediaItemRow, path: string): Promise<ComponentOutcome> => {
  const rendered = await renderStill(path, deps);
  const preview_key = previewKey(item.user_id, item.id, version, rendered.preview.extension);
  const preview_bytes = rendered.preview.bytes.length;
  const pictureChanges = await storePictures(deps, item, rendered, preview_key);
  return { state: 'DONE', warnings: rendered.warnings, changes: { ...pictureChanges, preview_key, preview_bytes } };
};

/**
 * A video that browsers can play is its own preview. For other videos TRANSCODE makes a preview; the preview of an earlier version is kept until then.
 */
const renderVideoPoster = async (deps: ItemDeps, item: MediaItemRow, path: string): Promise<ComponentOutcome> => {
  const rendered = await deps.decoders.renderVideo(path);
  const { isPlayable, frameRate = null, durationSeconds = null } = rendered;
  const poster_key = posterKey(item.user_id, item.id, version);
  const changes = {
    ...(await storePictures(deps, item, rendered, poster_key)),
    poster_key,
    poster_bytes: rendered.preview.bytes.length,
    probed_fps: frameRate,
    probed_duration_s: durationSeconds,
  };
  const { warnings } = rendered;
  if (isPlayable) {
    const preview_key = originalKey(item.user_id, item.id);
    return { state: 'DONE', warnings, changes: { ...changes, preview_key, preview_bytes: null } };
  }
  const wasPlayable = item.preview_key !== null && isOriginalKey(item.preview_key);
  return {
    state: 'DONE',
    warnings,
    changes: { ...changes, ...(wasPlayable && { preview_key: null, preview_bytes: null }) },
    requestedRuns: ['TRANSCODE'],
  };
};

/** Stores the preview or poster under `key`, and the thumbnail. */
const storePictures = async (
  { objects }: ItemDeps,
  item: MediaItemRow,
  { preview, thumbnail, placeholder, width, height }: RenderedPicture,
  key: string,
) => {
  const thumbnail_key = thumbnailKey(item.user_id, item.id, version);
  await Promise.all([
    objects.put(key, Readable.from([preview.bytes])),
    objects.put(thumbnail_key, Readable.from([thumbnail.bytes])),
  ]);
  return { thumbnail_key, thumbnail_bytes: thumbnail.bytes.length, placeholder, width_px: width, height_px: height };
};
