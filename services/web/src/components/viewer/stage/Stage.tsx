import { useQuery } from '@tanstack/react-query';
import { useRef, useState, useLayoutEffect, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Neighbours } from '../item/neighbours.ts';
import type { ViewedItemQuery } from '../item/viewedItem.ts';
import { getCondition } from '../item/condition.ts';
import { getAspectRatio, Slide, type SlidePlayback } from './Slide.tsx';
import styles from './Stage.module.css';
import { useOriginals } from './useOriginals.ts';
import { useStageGestures } from './useStageGestures.ts';
import { fitInto, fittedView, getMaxScale, getPreviewWidth, clampView, type View, type Size } from './zoom.ts';

/** Stage with the item and its neighbours: zoom, pan and swipe. */
export const Stage = (props: {
  readonly itemId: string;
  readonly neighbours: Neighbours;
  readonly getItem: ViewedItemQuery;
  readonly playback: SlidePlayback;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
  readonly onTouch: () => void;
}) => {
  const { t } = useTranslation('viewer');
  const { itemId, neighbours, onShow } = props;
  const { previous, item: grid, next } = neighbours;
  const ref = useRef<HTMLDivElement>(null);
  const stage = useElementSize(ref);
  const originals = useOriginals();
  const { data: item } = useQuery(props.getItem(itemId));
  const [zoomed, setZoomed] = useState<{ readonly id: string; readonly view: View }>();
  const fit = fitInto(stage, getAspectRatio(grid, item));
  // A new item starts unzoomed. Limits the view again after a resize, so that no empty stripe appears.
  const original = originals.getUrl(item);
  const previewWidth = getPreviewWidth(fit, item?.width);
  const maxScale = getMaxScale(fit, item && (original === undefined ? previewWidth : item.width));
  const view =
    zoomed?.id === itemId
      ? clampView({ ...zoomed.view, scale: Math.min(zoomed.view.scale, maxScale) }, fit, stage)
      : fittedView;
  const lacksPixels =
    view.scale > 1 && original === undefined && item?.width !== undefined && item.width > previewWidth;
  const isVideo = (item?.mediaItemType ?? (grid?.kind === 'video' ? 'VIDEO' : 'PHOTO')) === 'VIDEO';
  useStageGestures(ref, itemId, {
    view,
    onView: (nextView) => setZoomed({ id: itemId, view: nextView }),
    stage,
    fit,
    maxScale,
    canZoom: !isVideo && (item === undefined || getCondition(item).kind === 'shown'),
    onPrevious: previous && (() => onShow(previous.id)),
    onNext: next && (() => onShow(next.id)),
    onDismiss: props.onClose,
    onTouch: props.onTouch,
  });
  const slides = [
    { id: previous?.id, grid: previous, offset: -1 },
    { id: itemId, grid, offset: 0 },
    { id: next?.id, grid: next, offset: 1 },
  ] as const;
  return (
    <div ref={ref} className={styles['stage']} data-zoomed={view.scale > 1}>
      {slides.map(
        (slide) =>
          slide.id !== undefined && (
            <Slide
              key={slide.id}
              id={slide.id}
              grid={slide.grid}
              offset={slide.offset}
              getItem={props.getItem}
              stage={stage}
              view={slide.offset === 0 ? view : fittedView}
              originals={originals}
              playback={props.playback}
            />
          ),
      )}
      {lacksPixels && (
        <p className={styles['note']} role="status">
          {t('previewOnly')}
        </p>
      )}
    </div>
  );
};

/** Returns the size of an element in CSS pixels, or the window size before the first measurement. */
const useElementSize = (ref: RefObject<HTMLElement | null>): Size => {
  const [size, setSize] = useState<Size>(() => ({ width: window.innerWidth, height: window.innerHeight }));
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
};
