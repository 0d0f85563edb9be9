import { reprocessMovedPlace } from '../../places/itemPlaces.ts';
import type { MediaItemChanges, MediaItemRow } from '@hearth/core/db/schema.ts';
import type { Component } from '../../context/component.ts';
import { exiftoolCapability } from '../../context/tools.ts';
import { findText, type MediaTags } from '../../media/exiftool/mediaTags.ts';
import { readMediaTags } from '../../media/metadata/readMediaTags.ts';
import { readMetadata, type PhotoMetadata } from '../../media/metadata/readMetadata.ts';

/** Extracts the metadata of a file: time, position and camera. */
export const metadata: Component = {
  name: 'METADATA',
  tools: ['exiftool'],
  capabilities: [exiftoolCapability],
  run: async ({ exiftool, config }, { item, original }) => {
    if (exiftool === undefined) return { state: 'BLOCKED', reason: 'NO_DECODER', blockedOn: exiftoolCapability };
    const { tags, motionVideo, isUnreadable } = await readMediaTags(exiftool, await original(), item.mime_type);
    const found = readMetadata(tags, {
      filename: item.filename,
      timeZone: config.timeZone,
      uploadedAt: item.created_at,
      clientCreationTime: item.client_taken_at ?? undefined,
      clientUtcOffsetMinutes: item.client_utc_offset_minutes ?? undefined,
      hasMotionVideo: motionVideo !== undefined,
    });
    const warnings = isUnreadable ? ['METADATA_UNREADABLE' as const] : [];
    const changes = { ...toItemChanges(found, item), ...findRawMimeType(tags, item) };
    return {
      state: 'DONE',
      warnings,
      changes,
      writes: { write: (trx) => reprocessMovedPlace(trx, item.id, changes) },
      requestedRuns: found.unpairedCategory === 'MOTION' ? ['TRANSCODE'] : [],
    };
  },
};

/** Returns the type of a RAW file: its first bytes often indicate only TIFF, but exiftool reads the whole directory. */
const findRawMimeType = (tags: MediaTags, item: MediaItemRow): MediaItemChanges => {
  const type = findText(tags, 'File:MIMEType');
  return item.mime_type === 'image/tiff' && type?.startsWith('image/x-') === true ? { mime_type: type } : {};
};

const toItemChanges = (found: PhotoMetadata, item: MediaItemRow): MediaItemChanges => ({
  ...(found.captureTime !== undefined && {
    taken_at: found.captureTime.takenAt,
    local_time: found.captureTime.localTime,
    utc_offset_minutes: found.captureTime.utcOffsetMinutes ?? null,
  }),
  // The decoder's size takes precedence. The size in the metadata is for pictures that cannot be decoded.
  ...(item.thumbnail_key === null && { width_px: found.width ?? null, height_px: found.height ?? null }),
  // Becomes LIVE when the item is paired, in the same transaction.
  category: found.unpairedCategory,
  unpaired_category: found.unpairedCategory,
  fps: found.fps ?? null,
  duration_s: found.duration ?? null,
  content_identifier: found.contentIdentifier ?? null,
  latitude: found.position?.latitude ?? null,
  longitude: found.position?.longitude ?? null,
  camera_make: found.cameraMake ?? null,
  camera_model: found.cameraModel ?? null,
  focal_length_mm: found.focalLength ?? null,
  aperture_f_number: found.apertureFNumber ?? null,
  exposure_time_s: found.exposureTime ?? null,
  iso_equivalent: found.isoEquivalent ?? null,
});
