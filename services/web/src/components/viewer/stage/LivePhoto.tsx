import { useEffect, useRef, useState } from 'react';
import { prefersLessMotion } from '../../../lib/browser/useMediaQuery.ts';
import styles from './Slide.module.css';

/** Hold duration that starts playback, by touch or mouse button, in ms. */
const holdDelayMs = 250;

/** Hover duration that starts playback, in ms. */
const hoverDelayMs = 600;

/**
 * Muted video of a Live Photo over its picture. Loads and plays on mouse hover, while held, and when `isPlaying` is
 * set.
 */
export const LivePhoto = (props: {
  readonly url: string;
  readonly isPlaying: boolean;
  readonly onPlaying: (isPlaying: boolean) => void;
}) => {
  const { isPlaying, onPlaying } = props;
  const [isShown, setIsShown] = useState(false);
  const holdTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hoverTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopWaiting = (): void => {
    clearTimeout(holdTimer.current);
    clearTimeout(hoverTimer.current);
  };
  const end = (): void => {
    stopWaiting();
    onPlaying(false);
  };
  useEffect(
    () => () => {
      clearTimeout(holdTimer.current);
      clearTimeout(hoverTimer.current);
    },
    [],
  );
  return (
    <div
      className={styles['hold']}
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse' && !prefersLessMotion())
          hoverTimer.current = setTimeout(() => onPlaying(true), hoverDelayMs);
      }}
      onPointerDown={() => {
        stopWaiting();
        holdTimer.current = setTimeout(() => onPlaying(true), holdDelayMs);
      }}
      onPointerMove={(event) => {
        if (Math.abs(event.movementX) + Math.abs(event.movementY) > 4) clearTimeout(holdTimer.current);
      }}
      onPointerUp={end}
      onPointerCancel={end}
      onPointerLeave={end}
      onContextMenu={(event) => {
        if (isPlaying) event.preventDefault();
      }}
    >
      {isPlaying && (
        <video
          src={props.url}
          className={styles['motion']}
          data-loaded={isShown}
          muted
          autoPlay
          playsInline
          disablePictureInPicture
          onPlaying={() => setIsShown(true)}
          onEnded={() => {
            setIsShown(false);
            onPlaying(false);
          }}
        />
      )}
    </div>
  );
};
