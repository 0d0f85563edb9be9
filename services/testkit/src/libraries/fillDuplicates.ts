import { queryOnce } from '../database/postgres.ts';

/** Share of photos in one large group, such as a time-lapse, and share in groups of three. Others have no duplicates. */
const [largeGroupShare, triplesShare] = [0.12, 0.3];

/**
 * Gives a user's photos hashes and groups, like SEARCH. A library of a million photos gets one group of 120,000 photos and
 * 100,000 groups of three. One group in ten is reviewed.
 */
export const fillDuplicates = async (url: string, userId: string): Promise<void> => {
  for (const statement of statements) await queryOnce(url, statement.replaceAll('$user', `'${userId}'::uuid`));
};

const statements = [
  'alter table picture_hashes disable trigger user',
  `with photos as (
      select item, id, user_id, visibility, row_number() over (order by id) - 1 as nth, count(*) over () as total
      from media_items as item where user_id = $user and type = 'PHOTO'),
    grouped as (
      select *,
        case
          when nth < ${largeGroupShare} * total then 0
          when nth < ${largeGroupShare + triplesShare} * total then nth - nth % 3
          else nth
        end as first
      from photos),
    seen as (
      select *, first_value(id) over (partition by first order by id) as group_id,
        ('x' || substr(md5(user_id::text || first), 1, 16))::bit(64)::bigint as hash,
        get_byte(uuid_send(id), 15) / 256.0 as sharpness
      from grouped)
    insert into picture_hashes (media_item_id, user_id, hash, sharpness, group_id, is_centre, visibility, score)
    select id, user_id, hash, sharpness, group_id, id = group_id, visibility,
      duplicate_score(item, sharpness::real)
    from seen`,
  'alter table picture_hashes enable trigger user',
  `insert into duplicate_groups (id, user_id, member_count, item_count, trashed_count, reviewed_at)
    select group_id, user_id, count(*), count(*) filter (where visibility = 'visible'), 0,
      case when count(*) < 10 and get_byte(uuid_send(group_id), 15) < 26 then now() end
    from picture_hashes where user_id = $user group by group_id, user_id having count(*) > 1`,
];
