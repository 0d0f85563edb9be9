import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useCallback, type ReactNode } from 'react';
import { SelectionBar } from '../../components/actions/SelectionBar.tsx';
import { MediaGrid } from '../../components/grid/MediaGrid.tsx';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { SelectionProvider } from '../../components/selection/Selection.tsx';
import { findSharedFile, findSharedItem } from './sharedItems.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import { useShownItem } from '../../components/viewer/useShownItem.ts';

const Viewer = lazyComponent('Viewer', () => import('../../components/viewer/Viewer.tsx'));

const route = getRouteApi('/s/$shareId');
const kind = { name: 'shared' } as const;

/** Grid of a shared album. If the URL contains an `item`, the viewer shows it. */
export const SharedCollection = ({
  shareId,
  label,
  source,
  empty,
}: {
  readonly shareId: string;
  readonly label: string;
  readonly source: MediaSource;
  readonly empty: ReactNode;
}) => {
  const client = useQueryClient();
  const { item } = route.useSearch();
  const shown = useShownItem();
  const getItem = useCallback(
    (id: string) => ({
      queryKey: ['sharing', shareId, 'item', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => findSharedItem(client, shareId, id, signal),
    }),
    [client, shareId],
  );
  if (!source.isLoading && source.error === null && source.items.length === 0) return empty;
  return (
    <SelectionProvider>
      <SelectionBar kind={kind} items={source.items} findDownload={(id) => findSharedFile(client, shareId, id)} />
      <MediaGrid source={source} label={label} onOpen={shown.open} shownId={item} />
      {item !== undefined && (
        <Suspense>
          <Viewer
            itemId={item}
            source={source}
            kind={kind}
            getItem={getItem}
            onShow={shown.show}
            onClose={shown.close}
          />
        </Suspense>
      )}
    </SelectionProvider>
  );
};
