import { deleteUpload, type UploadRemains } from './uploadRemoval.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import type { Deps } from '../../deps/deps.ts';
import type { HeldUpload } from './holdUpload.ts';

/**
 * Removes the stored bytes of an upload that has become no item. Its row must be gone, so that nobody can continue it. What cannot be
 * removed now, the orphan sweep removes later.
 */
export const removeRemains = async (
  { objects }: Pick<Deps, 'objects'>,
  { id, user_id, write_id, tail_key, media_item_id }: UploadRemains,
): Promise<void> => {
  if (media_item_id !== null) return;
  if (write_id !== null) await objects.abandonParts(originalKey(user_id, id), write_id);
  if (tail_key !== null) await objects.remove([tail_key]);
};

/** Gives an upload up, with all its stored bytes, unless another request has the claim by now. */
export const giveUp = async (deps: Pick<Deps, 'db' | 'objects'>, { claim }: HeldUpload): Promise<void> => {
  const remains = await deleteUpload(deps.db, claim);
  if (remains !== undefined) await removeRemains(deps, remains);
};
