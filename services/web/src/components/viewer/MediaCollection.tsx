import { getRouteApi } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import type { CollectionKind } from '../actions/listActions.ts';
import { SelectionBar } from '../actions/SelectionBar.tsx';
import { MediaGrid } from '../grid/MediaGrid.tsx';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { SelectionProvider } from '../selection/Selection.tsx';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import { useShownItem } from './useShownItem.ts';

const Viewer = lazyComponent('Viewer', () => import('./Viewer.tsx'));

const route = getRouteApi('/app');

/** Grid of media items with selection actions, and the viewer when the URL has an `item`. */
export const MediaCollection = (props: {
  readonly source: MediaSource;
  /** Accessible name of the grid. */
  readonly label: string;
  /** List type; determines the available actions. */
  readonly kind: CollectionKind;
  readonly empty: ReactNode;
}) => {
  const { item } = route.useSearch();
  const shown = useShownItem();
  const { source } = props;
  if (!source.isLoading && source.error === null && source.items.length === 0 && item === undefined) return props.empty;
  return (
    <SelectionProvider>
      <SelectionBar kind={props.kind} items={source.items} />
      <MediaGrid source={source} label={props.label} onOpen={shown.open} shownId={item} />
      {item !== undefined && (
        <Suspense>
          <Viewer itemId={item} source={source} kind={props.kind} onShow={shown.show} onClose={shown.close} />
        </Suspense>
      )}
    </SelectionProvider>
  );
};
