import { queryOnce } from '../database/postgres.ts';

/**
 * Fills a user's library with `count` items of fifteen years by one SQL statement. Outings have 1 to 60 shots within three
 * hours and a kilometre, and are more frequent in later years. One item in twelve is a video. One in fifty is hidden or in
 * the trash. The rows are in random order, as after an import of many folders. The same `count` gives the same times.
 */
export const fillLibrary = async (url: string, userId: string, count: number): Promise<void> => {
  await queryOnce(url, fillStatement, [userId, count]);
};

/** Adds `count` scans uploaded within `hours` hours. They have no date, so they are sorted by their upload time. */
export const fillScans = async (url: string, userId: string, count: number, hours: number): Promise<void> => {
  await queryOnce(url, scansStatement, [userId, count, hours]);
};

// Ids like those of the server: in the order of upload (UUID version 7).
const rowIdSql = `encode(
  set_byte(set_byte(int8send((1577836800000 + row * 37)::bigint << 16) || uuid_send(gen_random_uuid()), 6, 112 + (random() * 15)::int), 8, 128)
  , 'hex')`;

const newIdSql = `substr(${rowIdSql}, 1, 32)::uuid`;

// As in core/objects/keys.ts.
const keysSql = `concat($1::uuid, '/', id, '/preview-1.jpg'), concat($1::uuid, '/', id, '/thumbnail-1.webp')`;

const columns = `
    id, user_id, checksum, filename, mime_type, size_bytes, type, category, status, is_favourite, is_hidden, deleted_at,
    taken_at, local_time, utc_offset_minutes, width_px, height_px, latitude, longitude, camera_make, camera_model, focal_length_mm,
    aperture_f_number, iso_equivalent, exposure_time_s, placeholder, preview_key, thumbnail_key`;

const fillStatement = `
  with seed as materialized (select setseed(0.5)),
  outings as materialized (
    select timestamp '2011-01-01 07:00' + floor(5475 * sqrt(random())) * interval '1 day' + random() * interval '14 hours' as begins_at,
      1 + floor(60 * random() ^ 2)::int as shots,
      -- Half of all outings lie around one home, the others anywhere between Lisbon and Warsaw.
      case when random() < 0.5 then 52.5 + random() else 38 + 15 * random() end as latitude,
      case when random() < 0.5 then 13.4 + random() else -9 + 30 * random() end as longitude
    from seed, generate_series(1, $2::int / 8 + 1)
  ), shots as (
    select begins_at + random() * interval '3 hours' as local_time, random() as kind, random() as place,
      case when random() < 0.75 then latitude + random() / 100 end as latitude, longitude + random() / 100 as longitude
    from outings, generate_series(1, shots) limit $2::int
  )
  insert into media_items (${columns})
  select id, $1::uuid, sha256(uuid_send(gen_random_uuid())), 'IMG_' || right(row::text, 6) || '.jpg',
    case when kind < 0.08 then 'video/mp4' else 'image/jpeg' end, 2e6 + 4e6 * kind,
    case when kind < 0.08 then 'VIDEO' else 'PHOTO' end,
    case when kind < 0.01 then 'SLOW' when kind > 0.95 then 'SCREENSHOT' when kind > 0.93 then 'LIVE' else 'DEFAULT' end,
    case when place < 0.001 then 'FAILED' else 'READY' end,
    kind between 0.5 and 0.53, kind between 0.6 and 0.61, case when kind between 0.7 and 0.71 then now() end,
    local_time at time zone 'Europe/Berlin', date_trunc('milliseconds', local_time), 60,
    case when kind between 0.3 and 0.55 then 3024 else 4032 end, case when kind between 0.3 and 0.55 then 4032 else 3024 end,
    latitude, case when latitude is not null then longitude end,
    case when place < 0.7 then 'Apple' else 'Canon' end, case when place < 0.7 then 'iPhone 12' else 'EOS 80D' end,
    4.25, 1.8, 100, 0.008, encode(sha256(row::text::bytea), 'base64'), ${keysSql}
  from (
    select ${newIdSql} as id, * from (select row_number() over () as row, * from (select * from shots order by random()) as mixed) as numbered
  ) as items`;

const scansStatement = `
  insert into media_items (${columns})
  select id, $1::uuid, sha256(uuid_send(gen_random_uuid())), 'scan' || row || '.jpg', 'image/jpeg', 2e6,
    'PHOTO', case when row % 50 = 0 then 'SCREENSHOT' else 'DEFAULT' end, 'READY', row % 40 = 0, row % 100 = 1,
    case when row % 100 = 2 then now() end, uploaded_at, date_trunc('milliseconds', uploaded_at at time zone 'UTC'), null, 2480, 3508,
    null, null, null, null, null, null, null, null, encode(sha256(row::text::bytea), 'base64'), ${keysSql}
  from (
    select ${newIdSql} as id, row, timestamptz '2024-03-01 18:00:00Z' + row * $3::float8 / $2 * interval '59 minutes' as uploaded_at
    from generate_series(1, $2::int) as row
  ) as scans`;
