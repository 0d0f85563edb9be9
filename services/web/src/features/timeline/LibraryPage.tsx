import { useQueryClient, type QueryClient, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectionBar } from '../../components/actions/SelectionBar.tsx';
import { SelectionProvider } from '../../components/selection/Selection.tsx';
import { TimelineView } from './TimelineView.tsx';
import { useTimeline } from './useTimeline.ts';
import { useShownSections, useTimelineSource } from './useTimelineSource.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import { useShownItem } from '../../components/viewer/useShownItem.ts';
import { ImagePlus } from 'lucide-react';
import { EmptyState } from '../../components/page/EmptyState.tsx';
import type { SectionGrid } from './layout/sectionGrid.ts';
import { listKeys } from '../../lib/changes/listKeys.ts';
import type { TimelineCount } from '@hearth/contract/timeline.ts';
import { sectionsQuery } from './queries.ts';

const Viewer = lazyComponent('Viewer', () => import('../../components/viewer/Viewer.tsx'));

const route = getRouteApi('/app/');

const kind = { name: 'library' } as const;

/** Timeline of all items. `begin`: upload button shown in an empty library. */
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
      <SelectionBar kind={kind} favourites={() => getLoadedFavourites(client)} />
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

const EmptyLibrary = ({ begin }: { readonly begin: ReactNode }) => {
  const { t } = useTranslation('library');
  return (
    <EmptyState icon={ImagePlus} title={t('empty.title')} action={begin}>
      <p>{t('empty.text')}</p>
    </EmptyState>
  );
};

const getLoadedFavourites = (client: QueryClient): ReadonlySet<string> =>
  new Set(
    client
      .getQueriesData<SectionGrid>({ queryKey: listKeys.timelineGrid() })
      .flatMap(([, grid]) => [...(grid?.favourites ?? [])].map((index) => grid?.ids[index] ?? '')),
  );

const noDates: readonly string[] = [];

/** Returns the dates of the timeline's sections, latest first; empty until loaded. */
const useSectionDates = (): readonly string[] => useQuery({ ...sectionsQuery, select: listDates }).data ?? noDates;

/** A stable function, so that `select` does not map thousands of sections in each render. */
const listDates = (sections: readonly TimelineCount[]): readonly string[] => sections.map(({ date }) => date);
