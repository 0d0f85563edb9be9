import { useLayoutEffect, useSyncExternalStore, type RefCallback } from 'react';
import { GridFocusContext } from '../../components/grid/input/gridFocus.ts';
import { useReturningFocus } from '../../components/grid/input/useReturningFocus.ts';
import { useIsSelecting } from '../../components/selection/Selection.tsx';
import { SectionView } from './SectionView.tsx';
import { Scrubber } from './Scrubber.tsx';
import { scrollScale } from './layout/scrollScale.ts';
import { getMonthAt, listSections } from './layout/timelineGeometry.ts';
import styles from './TimelineView.module.css';
import type { Timeline } from './useTimeline.ts';
import { useTimelineAddress } from './useTimelineAddress.ts';
import { useTimelineInput } from './useTimelineInput.ts';

export const TimelineView = ({
  timeline,
  element,
  onOpen,
  shownId,
}: {
  readonly timeline: Timeline;
  readonly element: RefCallback<HTMLDivElement>;
  readonly onOpen: (id: string) => void;
  /** Item open in the viewer. When the viewer closes, the timeline scrolls to it and focuses it. */
  readonly shownId: string | undefined;
}) => {
  const { geometry, scroll, isLayoutReady, pageTop } = timeline;
  const { container, focus, handlers, focusItem, onRendered } = useTimelineInput(geometry, scroll, onOpen);
  const isSelecting = useIsSelecting();
  useTimelineAddress(scroll, geometry, isLayoutReady);
  useReturningFocus(shownId, focusItem);
  return (
    <GridFocusContext value={focus}>
      <div ref={element} className={styles['timeline']}>
        <div
          ref={container}
          data-selecting={isSelecting ? '' : undefined}
          className={styles['months']}
          style={{ height: scrollScale(geometry.height, 0).scrolled }}
          {...handlers}
        >
          {isLayoutReady && <ShownSections timeline={timeline} onRendered={onRendered} />}
        </div>
      </div>
      {isLayoutReady && <Scrubber geometry={geometry} scroll={scroll} pageTop={pageTop} />}
    </GridFocusContext>
  );
};

/** Sections near the viewport. The only component that renders with each scroll step. */
const ShownSections = (props: { readonly timeline: Timeline; readonly onRendered: () => void }) => {
  const { geometry, scroll, hasFailed } = props.timeline;
  const view = useSyncExternalStore(scroll.subscribe, scroll.get);
  useLayoutEffect(() => props.onRendered());
  return listSections(geometry, view.from, view.to).map(({ section, top, height, grid, layout }) => (
    <SectionView
      // Mounts a loaded section as a new element. Its edges may differ from those of the placeholder, which must not move.
      key={`${section} ${grid === undefined ? 'unknown' : 'known'}`}
      section={section}
      hasTitle={geometry.months[getMonthAt(geometry, top)]?.top === top}
      top={top - view.shift}
      height={height}
      grid={grid}
      layout={layout}
      from={Math.min(height, Math.max(0, view.from - top))}
      to={Math.min(height, Math.max(0, view.to - top))}
      fullFrom={Math.min(height, Math.max(0, view.fullFrom - top))}
      fullTo={Math.min(height, Math.max(0, view.fullTo - top))}
      hasFailed={hasFailed(section)}
    />
  ));
};
