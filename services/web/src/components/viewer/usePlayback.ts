import { useRef, useState } from 'react';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { getCondition } from './item/condition.ts';
import type { SlidePlayback } from './stage/Slide.tsx';
import { useSlideshow, type Slideshow } from './chrome/useSlideshow.ts';
import type { ViewedItem } from './item/viewedItem.ts';

export const usePlayback = (props: {
  readonly itemId: string;
  readonly item: ViewedItem | undefined;
  readonly grid: GridItem | undefined;
  readonly onNext: (() => void) | undefined;
}): { readonly playback: SlidePlayback; readonly slideshow: Slideshow; readonly togglePlaying: () => void } => {
  const { itemId, item, grid } = props;
  const videoRef = useRef<HTMLVideoElement>(null);
  const [playingId, setPlayingId] = useState<string>();
  const [sharpIds, setSharpIds] = useState<ReadonlySet<string>>(new Set());
  const isPlaying = playingId === itemId;
  const isVideo = (item?.mediaItemType ?? (grid?.kind === 'video' ? 'VIDEO' : 'PHOTO')) === 'VIDEO';
  // Unviewable items and videos that are not yet playable never become sharp, so the slideshow starts their display
  // time at once.
  const isStill = item !== undefined && (getCondition(item).kind !== 'shown' || item.previewUrl === undefined);
  const slideshow = useSlideshow({
    itemId,
    isReady: isStill || (!isVideo && sharpIds.has(itemId)),
    onNext: props.onNext,
  });
  return {
    slideshow,
    playback: {
      isPlaying,
      onPlaying: (plays) => setPlayingId(plays ? itemId : undefined),
      videoRef,
      autoPlay: slideshow.isRunning,
      onSharp: (id) => setSharpIds((before) => new Set(before).add(id)),
      onVideoEnded: () => {
        if (!slideshow.isRunning) return;
        if (props.onNext === undefined) slideshow.stop();
        else props.onNext();
      },
    },
    togglePlaying: () => {
      if (slideshow.isRunning) slideshow.stop();
      else if (videoRef.current !== null) toggleVideo(videoRef.current);
      else if (item?.motionUrl !== undefined) setPlayingId(isPlaying ? undefined : itemId);
      else slideshow.start();
    },
  };
};

function toggleVideo(video: HTMLVideoElement): void {
  if (video.paused) void video.play().catch(() => undefined);
  else video.pause();
}
