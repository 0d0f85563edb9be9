import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { prefersLessMotion } from '../../lib/browser/useMediaQuery.ts';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { mediaItemQuery } from '../../lib/items/mediaItemQuery.ts';
import styles from './LiveMotion.module.css';

/** Hover delay before playback, in ms. Shorter hovers only pass over the picture. */
const hoverDelayMs = 400;

/** Muted video of a Live Photo over its thumbnail. Loads and plays while the mouse hovers over the enclosing cell. */
export const LiveMotion = ({ item }: { readonly item: GridItem }) => {
  const place = useRef<HTMLSpanElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isShown, setIsShown] = useState(false);
  const { data } = useQuery({ ...mediaItemQuery(item.id), enabled: isPlaying && item.motionUrl === null });
  const url = item.motionUrl ?? data?.motionUrl;
  const stop = (): void => {
    setIsPlaying(false);
    setIsShown(false);
  };
  useEffect(() => {
    // Listens on the whole cell, because its badges and its checkbox cover the picture.
    const cell = place.current?.closest<HTMLElement>('[data-item-id]');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listening = new AbortController();
    const handleLeave = (): void => {
      clearTimeout(timer);
      setIsPlaying(false);
      setIsShown(false);
    };
    const handleEnter = ({ pointerType }: PointerEvent): void => {
      if (pointerType === 'mouse' && !prefersLessMotion()) timer = setTimeout(() => setIsPlaying(true), hoverDelayMs);
    };
    cell?.addEventListener('pointerenter', handleEnter, { signal: listening.signal });
    cell?.addEventListener('pointerleave', handleLeave, { signal: listening.signal });
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <span ref={place} className={styles['place']} aria-hidden>
      {isPlaying && url !== undefined && (
        <video
          src={url}
          className={styles['motion']}
          data-loaded={isShown}
          muted
          autoPlay
          playsInline
          disablePictureInPicture
          onPlaying={() => setIsShown(true)}
          onEnded={stop}
          onError={stop}
        />
      )}
    </span>
  );
};
