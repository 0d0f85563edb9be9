import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import type { CollectionKind } from '../media/actions/SelectedActions.tsx';
import { SelectionBar } from '../media/actions/SelectionBar.tsx';
import { MediaGrid } from '../media/grid/MediaGrid.tsx';
import type { MediaSource } from '../media/mediaSource.ts';
import { SelectionProvider } from '../media/selection/Selection.tsx';
import { lazyComponent } from '../ui/lazyComponent.ts';

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
  // From the page that it is on: that of `route` leads to the photos.
  const navigate = useNavigate();
  const { source } = props;
  const show = (id: string | undefined, replace: boolean): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, item: id }), replace, resetScroll: false });
  if (!source.isLoading && source.error === null && source.items.length === 0 && item === undefined) return props.empty;
  return (
    <SelectionProvider>
      <SelectionBar kind={props.kind} items={source.items} />
      <MediaGrid source={source} label={props.label} onOpen={(id) => show(id, false)} shownId={item} />
      {item !== undefined && (
        <Suspense>
          <Viewer
            itemId={item}
            source={source}
            kind={props.kind}
            onShow={(id) => show(id, true)}
            onClose={() => show(undefined, true)}
          />
        </Suspense>
      )}
    </SelectionProvider>
  );
};
