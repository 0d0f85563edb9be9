import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import { findSharedIds } from '@hearth/core/db/items/sharedItems.ts';
import type { Cover } from '@hearth/core/db/collections/covers.ts';
import type { Database } from '@hearth/core/db/connection/database.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import type { SessionUser } from '@hearth/core/db/accounts/sessions.ts';
import type { Links } from '../links/links.ts';

/** What presenters of media items know besides the rows. */
export interface ItemView {
  readonly links: Links;
  /** Those of the rows that are in a shared album of their user. */
  readonly sharedIds: ReadonlySet<string>;
}

/** Without them nothing is shared, whatever the albums say. */
const neededFeatures: readonly FeatureName[] = ['albums', 'sharing'];

/** Of items that were read together with which of them are shared. */
export const viewListed = (
  links: Links,
  user: Pick<SessionUser, 'features'>,
  sharedIds: Iterable<string>,
): ItemView => ({ links, sharedIds: new Set(isSharing(user) ? sharedIds : []) });

/** Of the covers of collections, which were read with whether they are shared. */
export const viewCovers = (
  links: Links,
  user: Pick<SessionUser, 'features'>,
  covered: readonly { readonly cover: Cover | undefined }[],
): ItemView =>
  viewListed(
    links,
    user,
    covered.flatMap(({ cover }) => (cover?.is_shared === true ? [cover.id] : [])),
  );

/** Whether a user sees what is shared. */
const isSharing = ({ features }: Pick<SessionUser, 'features'>): boolean =>
  neededFeatures.every((feature) => features[feature] !== false);

/** Looks up what is shown of these items of a user besides what their rows say: once for all of an answer. */
export const viewItems = async (
  { db, links }: { readonly db: Database; readonly links: Links },
  user: Pick<SessionUser, 'userId' | 'features'>,
  items: readonly (Pick<MediaItemRow, 'id'> | undefined)[],
): Promise<ItemView> => {
  const ids = items.flatMap((item) => item?.id ?? []);
  return {
    links,
    sharedIds: isSharing(user) && ids.length > 0 ? await findSharedIds(db, user.userId, ids) : new Set(),
  };
};
