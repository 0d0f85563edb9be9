import type { Album } from '@hearth/contract/albums.ts';
import { queryOptions } from '@tanstack/react-query';
import { callPage } from '../../lib/api/client.ts';

/** All albums, most recently updated first. */
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

/** Returns the albums whose names contain the typed text, ignoring case and accents. */
export const filterAlbums = <A extends { readonly name: string }>(
  albums: readonly A[],
  typed: string,
): readonly A[] => {
  const wanted = normalize(typed);
  return albums.filter(({ name }) => normalize(name).includes(wanted));
};

/** Returns whether an album has exactly this name, so that the dialog does not offer to create it. */
export const hasAlbumNamed = (albums: readonly { readonly name: string }[], typed: string): boolean =>
  albums.some(({ name }) => normalize(name) === normalize(typed));

function normalize(text: string): string {
  return text
    .trim()
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLocaleLowerCase();
}
