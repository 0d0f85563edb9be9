import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, type CSSProperties, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../../lib/items/gridItem.ts';
import { describeItem } from '../item/describeItem.ts';
import type { ViewedItem, ViewedItemQuery } from '../item/viewedItem.ts';
import { getCondition } from '../item/condition.ts';
import { ConditionNotice, ErrorNotice } from './Notice.tsx';
import { PhotoSlide } from './PhotoSlide.tsx';
import styles from './Slide.module.css';
import type { Originals } from './useOriginals.ts';
import { VideoSlide } from './VideoSlide.tsx';
import { fitInto, type Size, type View } from './zoom.ts';

/** Playback state shared by the stage and the controls around it. */
export interface SlidePlayback {
  readonly isPlaying: boolean;
  readonly onPlaying: (isPlaying: boolean) => void;
  readonly videoRef: RefObject<HTMLVideoElement | null>;
  readonly autoPlay: boolean;
  /** Called when a picture is sharp, including those of the neighbours. */
  readonly onSharp: (id: string) => void;
  readonly onVideoEnded: () => void;
}

/** Returns the aspect ratio (width / height), from the details if loaded. */
export const getAspectRatio = (grid: GridItem | undefined, item: ViewedItem | undefined): number =>
  item?.width !== undefined && item.height !== undefined ? item.width / item.height : (grid?.aspectRatio ?? 1);

/** Item on the stage, in the middle (`offset` 0) or next to it, where it preloads. */
export const Slide = (props: {
  readonly id: string;
  readonly grid: GridItem | undefined;
  readonly offset: -1 | 0 | 1;
  readonly getItem: ViewedItemQuery;
  readonly stage: Size;
  readonly view: View;
  readonly originals: Originals;
  readonly playback: SlidePlayback;
}) => {
  const { i18n, t } = useTranslation('viewer');
  const { grid, stage } = props;
  const query = useQuery(props.getItem(props.id));
  const queryClient = useQueryClient();
  const wasLinkRenewed = useRef(false);
  const item = query.data;
  const isCurrent = props.offset === 0;
  // An expired link is renewed with the item, once.
  const renewLink = (): void => {
    if (wasLinkRenewed.current) return;
    wasLinkRenewed.current = true;
    void queryClient.invalidateQueries({ queryKey: props.getItem(props.id).queryKey, exact: true });
  };
  const commonProps = {
    grid,
    item,
    alt: item?.description ?? describeItem(grid, item, t, i18n.language),
    fit: fitInto(stage, getAspectRatio(grid, item)),
    isCurrent,
    onFailure: renewLink,
  };
  const isVideo = item === undefined ? grid?.kind === 'video' : item.mediaItemType === 'VIDEO';
  const isNotice = item !== undefined && getCondition(item).kind !== 'shown';
  return (
    <div className={styles['slide']} style={{ '--offset': props.offset } as CSSProperties} inert={!isCurrent}>
      {query.error !== null && item === undefined ? (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : isNotice ? (
        <ConditionNotice item={item} />
      ) : isVideo ? (
        <VideoSlide
          {...commonProps}
          videoRef={props.playback.videoRef}
          autoPlay={props.playback.autoPlay}
          onEnded={props.playback.onVideoEnded}
        />
      ) : (
        <PhotoSlide
          {...commonProps}
          view={props.view}
          originals={props.originals}
          isPlaying={isCurrent && props.playback.isPlaying}
          onPlaying={props.playback.onPlaying}
          onSharp={() => props.playback.onSharp(props.id)}
        />
      )}
    </div>
  );
};
