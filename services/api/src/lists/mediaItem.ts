import type { ComponentRun, MediaItem, MediaItemDetails, TextLine } from '@hearth/contract/mediaItem.ts';
import type { Reason, Warning } from '@hearth/contract/reasons.ts';
import { componentNames, type OriginalState } from '@hearth/contract/vocabulary.ts';
import type { ComponentRunRow, MediaItemRow } from '@hearth/core/db/schema.ts';
import { originalKey, getPreviewType } from '@hearth/core/objects/keys.ts';
import { toVisibleName } from '../links/filenames.ts';
import type { ItemView } from './itemView.ts';

/** Converts a row to its API form, without empty fields. */
export const presentMediaItem = ({ links, sharedIds }: ItemView, row: MediaItemRow): MediaItem => {
  // Earlier versions stored names with invisible characters.
  const filename = toVisibleName(row.filename);
  return withoutEmpty({
    id: row.id,
    userId: row.user_id,
    filename,
    description: row.description,
    mimeType: row.mime_type,
    sizeBytes: row.size_bytes,
    placeholder: row.placeholder,
    sourceUrl: links.sign({ key: originalKey(row.user_id, row.id), type: row.mime_type, filename }),
    previewUrl: row.preview_key && links.sign({ key: row.preview_key, type: getPreviewType(row.preview_key) }),
    thumbnailUrl: row.thumbnail_key && links.sign({ key: row.thumbnail_key, type: 'image/webp' }),
    posterUrl: row.poster_key && links.sign({ key: row.poster_key, type: 'image/jpeg' }),
    motionUrl: row.motion_key && links.sign({ key: row.motion_key, type: 'video/mp4' }),
    favourite: row.is_favourite,
    shared: sharedIds.has(row.id),
    hidden: row.is_hidden,
    deleted: row.deleted_at !== null,
    status: row.status,
    mediaItemType: row.type,
    mediaItemCategory: row.category,
    width: row.width_px,
    height: row.height_px,
    megapixels: row.width_px && row.height_px && Math.round((row.width_px * row.height_px) / 1e4) / 100,
    durationSeconds: row.duration_s ?? row.probed_duration_s,
    fps: row.fps ?? row.probed_fps,
    creationTime: row.taken_at.toISOString(),
    localTime: row.local_time,
    utcOffset: row.utc_offset_minutes === null ? null : presentOffset(row.utc_offset_minutes),
    latitude: row.latitude,
    longitude: row.longitude,
    cameraMake: row.camera_make,
    cameraModel: row.camera_model,
    focalLength: row.focal_length_mm,
    apertureFNumber: row.aperture_f_number,
    isoEquivalent: row.iso_equivalent,
    exposureTime: row.exposure_time_s,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  } satisfies Record<keyof MediaItem, unknown>);
};

/** Adds the recognized text and the processing steps, in pipeline order. */
export const presentMediaItemDetails = (
  view: ItemView,
  row: MediaItemRow,
  text: readonly TextLine[],
  runs: readonly ComponentRunRow[],
  original: OriginalState,
): MediaItemDetails => ({
  ...presentMediaItem(view, row),
  ...(text.length > 0 && { text: [...text] }),
  original,
  processing: runs
    .toSorted((a, b) => componentNames.indexOf(a.component) - componentNames.indexOf(b.component))
    .map(presentRun),
});

const presentRun = (run: ComponentRunRow): ComponentRun =>
  withoutEmpty({
    component: run.component,
    state: run.state,
    attempts: run.attempts,
    reason: run.reason as Reason | null,
    progress: run.state === 'RUNNING' ? run.progress : null,
    warnings: run.warnings.length > 0 ? (run.warnings as Warning[]) : null,
  });

/** Formats 330 minutes as `+05:30`. */
const presentOffset = (minutes: number): string => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};

type WithoutEmpty<T> = { [Key in keyof T as null extends T[Key] ? never : '' extends T[Key] ? Key : Key]: T[Key] } & {
  [Key in keyof T as null extends T[Key] ? Key : never]?: Exclude<T[Key], null>;
};

const withoutEmpty = <T extends object>(fields: T): WithoutEmpty<T> => {
  const kept: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== null && fields[key] !== '') kept[key] = fields[key];
  return kept as WithoutEmpty<T>;
};
