import type { Person } from '@hearth/contract/people.ts';
import type { FaceRow, PersonRow } from '@hearth/core/db/schema.ts';
import type { UserLinks } from '../../links/links.ts';

/** A person as the owner of the library sees them. */
export const presentPerson = (
  links: UserLinks,
  { id, name, is_hidden, created_at, updated_at }: PersonRow,
  cover: FaceRow | undefined,
): Person => ({
  id,
  ...(name !== null && { name }),
  hidden: is_hidden,
  ...(cover !== undefined && {
    coverMediaItemId: cover.media_item_id,
    coverMediaItemFaceId: cover.id,
    coverMediaItemFace: { thumbnail: links.sign({ key: cover.thumbnail_key, type: 'image/webp' }) },
  }),
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});
