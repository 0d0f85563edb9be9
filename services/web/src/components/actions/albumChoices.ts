import type { Album } from '@hearth/contract/albums.ts';
import { queryOptions } from '@tanstack/react-query';
import { callPage } from '../../lib/api/client.ts';

/** All albums that something can be put into, the one that changed last first. */
export const albumChoices = queryOptions({
  queryKey: ['albums', 'choices'],
  queryFn: async ({ signal }) => {
    const albums: Album[] = [];
    let next: string | undefined;
    do {
      const page = await callPage('GET /v1/albums', { query: { sort: '-updatedAt', limit: 200 }, next, signal });
      albums.push(...page.items);
      next = page.next;
    } while (next !== undefined);
    return albums;
  },
});

/** The albums whose name holds what was typed, whatever the case and the accents, in their order. */
export const matchingAlbums = <A extends { readonly name: string }>(
  albums: readonly A[],
  typed: string,
): readonly A[] => {
  const wanted = plain(typed);
  return albums.filter(({ name }) => plain(name).includes(wanted));
};

/** Whether an album is called just so, so that a second one of this name need not be offered. */
export const hasAlbumNamed = (albums: readonly { readonly name: string }[], typed: string): boolean =>
  albums.some(({ name }) => plain(name) === plain(typed));

function plain(text: string): string {
  return text
    .trim()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLocaleLowerCase();
}
