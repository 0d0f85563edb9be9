import { queryOnce } from '@hearth/core/testing/postgres.ts';

/**
 * Fills a user's library by one SQL statement with `count` items of fifteen years: outings of 1 to 60 shots within three
 * hours, more of them in later years, one item in twelve a video, one in fifty hidden or in the trash. The rows lie in the table in no
 * order of time, as after an import of many folders. The same `count` gives the same times.
 */
export const fillLibrary = async (url: string, userId: string, count: number): Promise<void> => {
  await queryOnce(url, fillStatement, [userId, count]);
};

const fillStatement = `
  with seed as materialized (select setseed(0.5)),
  outings as materialized (
    select timestamp '2011-01-01 07:00' + floor(5475 * sqrt(random())) * interval '1 day' + random() * interval '14 hours' as begins_at,
      1 + floor(60 * random() ^ 2)::int as shots
    from seed, generate_series(1, $2::int / 8 + 1)
  ), shots as (
    select begins_at + random() * interval '3 hours' as local_time, random() as kind, random() as place
    from outings, generate_series(1, shots) limit $2::int
  )
  insert into media_items (
    id, user_id, checksum, filename, mime_type, size_bytes, type, category, status, is_favourite, is_hidden, deleted_at,
    taken_at, local_time, utc_offset_minutes, width_px, height_px, camera_make, camera_model, focal_length_mm,
    aperture_f_number, iso_equivalent, exposure_time_s, placeholder, preview_key, thumbnail_key)
  select id, $1::uuid, sha256(id::text::bytea), 'IMG_' || right(id::text, 6) || '.jpg',
    case when kind < 0.08 then 'video/mp4' else 'image/jpeg' end, 2e6 + 4e6 * kind,
    case when kind < 0.08 then 'VIDEO' else 'PHOTO' end,
    case when kind < 0.01 then 'SLOW' when kind > 0.95 then 'SCREENSHOT' when kind > 0.93 then 'LIVE' else 'DEFAULT' end,
    case when place < 0.001 then 'FAILED' else 'READY' end,
    kind between 0.5 and 0.53, kind between 0.6 and 0.61, case when kind between 0.7 and 0.71 then now() end,
    local_time at time zone 'Europe/Berlin', date_trunc('milliseconds', local_time), 60, 4032, 3024, 'Example', 'Camera 12',
    4.25, 1.8, 100, 0.008, encode(sha256(id::text::bytea), 'base64'), 'previews/' || id, 'thumbnails/' || id
  from (select gen_random_uuid() as id, * from shots) as items order by id`;
