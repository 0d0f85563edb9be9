import { getRouteApi } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import type { CollectionKind } from '../actions/actionsOf.ts';
import { SelectionBar } from '../actions/SelectionBar.tsx';
import { MediaGrid } from '../grid/MediaGrid.tsx';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { SelectionProvider } from '../selection/Selection.tsx';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import { useShownItem } from './useShownItem.ts';

const Viewer = lazyComponent('Viewer', () => import('./Viewer.tsx'));

const route = getRouteApi('/app');

/** A list of media items as a grid, with what can be done with selected ones, and the viewer over it when the address names an `item`. */
export const MediaCollection = (props: {
  readonly source: MediaSource;
  /** What screen readers call the grid. */
  readonly label: string;
  /** In which kind of list the items are: it decides what can be done with them. */
  readonly kind: CollectionKind;
  /** Shown instead of the grid when there is nothing. */
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
