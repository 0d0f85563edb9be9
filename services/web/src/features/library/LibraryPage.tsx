import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectionBar } from '../../media/actions/SelectionBar.tsx';
import { SelectionProvider } from '../../media/selection/Selection.tsx';
import { EmptyLibrary } from './EmptyLibrary.tsx';
import { loadedFavourites } from './loadedFavourites.ts';
import { TimelineView } from './TimelineView.tsx';
import { useSectionDates } from './useSectionDates.ts';
import { useTimeline } from './useTimeline.ts';
import { useShownSections, useTimelineSource } from './useTimelineSource.ts';
import { lazyComponent } from '../../ui/lazyComponent.ts';
import { useShownItem } from '../../viewer/useShownItem.ts';

const Viewer = lazyComponent('Viewer', () => import('../../viewer/Viewer.tsx'));

const route = getRouteApi('/app/');

const kind = { name: 'library' } as const;

/** The timeline of all photos and videos. `begin` is what a first visitor presses to upload. */
export const LibraryPage = ({ begin }: { readonly begin: ReactNode }) => {
  const { t } = useTranslation('library');
  const item = route.useSearch({ select: (search) => search.item });
  const { open, show, close } = useShownItem();
  const client = useQueryClient();
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const shown = useShownSections(item, useSectionDates());
  const timeline = useTimeline(element, shown.wanted);
  const source = useTimelineSource(shown, timeline.geometry, timeline.error);

  if (timeline.error !== null && timeline.isLoading) throw timeline.error;
  const isEmpty = !timeline.isLoading && timeline.error === null && timeline.geometry.months.length === 0;
  return (
    <SelectionProvider>
      <h1 className="visually-hidden">{t('photos')}</h1>
      <SelectionBar kind={kind} favourites={() => loadedFavourites(client)} />
      {isEmpty && item === undefined ? (
        <EmptyLibrary begin={begin} />
      ) : (
        <TimelineView timeline={timeline} element={setElement} onOpen={open} shownId={item} />
      )}
      {item !== undefined && (
        <Suspense>
          <Viewer itemId={item} source={source} kind={kind} onShow={show} onClose={close} />
        </Suspense>
      )}
    </SelectionProvider>
  );
};
