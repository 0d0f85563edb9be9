import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import { findSharedIds } from '@hearth/core/items/sharedItems.ts';
import type { Cover } from './covers.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { SessionUser } from '../accounts/sessions.ts';
import type { Links, UserLinks } from '../links/links.ts';

/** Data for presenting media items in addition to their rows. */
export interface ItemView {
  readonly links: UserLinks;
  /** Ids of the items that are in a shared album of their user. */
  readonly sharedIds: ReadonlySet<string>;
}

type LinkedUser = Pick<SessionUser, 'features' | 'linkEpoch'>;

/** Nothing is shared while one of these features is off. */
const neededFeatures: readonly FeatureName[] = ['albums', 'sharing'];

/** Creates the view for items whose query also returned the ids of shared ones. */
export const viewListed = (links: Links, user: LinkedUser, sharedIds: Iterable<string>): ItemView => ({
  links: links.forUser(user),
  sharedIds: new Set(isSharing(user) ? sharedIds : []),
});

/** Creates the view for covers of collections. Their rows contain `is_shared`. */
export const viewCovers = (
  links: Links,
  user: LinkedUser,
  covered: readonly { readonly cover: Cover | undefined }[],
): ItemView =>
  viewListed(
    links,
    user,
    covered.flatMap(({ cover }) => (cover?.is_shared === true ? [cover.id] : [])),
  );

const isSharing = ({ features }: Pick<SessionUser, 'features'>): boolean =>
  neededFeatures.every((feature) => features[feature] !== false);

/** Creates the view for a user's items. Finds the shared ones in one query. */
export const viewItems = async (
  { db, links }: { readonly db: Database; readonly links: Links },
  user: SessionUser,
  items: readonly (Pick<MediaItemRow, 'id'> | undefined)[],
): Promise<ItemView> => {
  const ids = items.flatMap((item) => item?.id ?? []);
  return {
    links: links.forUser(user),
    sharedIds: isSharing(user) && ids.length > 0 ? await findSharedIds(db, user.userId, ids) : new Set(),
  };
};
