import { useEffect, useRef, useState } from 'react';
import { prefersLessMotion } from '../../../lib/browser/useMediaQuery.ts';
import styles from './Slide.module.css';

/** A finger or the button of a mouse plays the picture when it is held for this long, in milliseconds. */
const holdMs = 250;

/** A mouse that comes over the picture plays it when it stays for this long, in milliseconds. */
const restMs = 600;

/** The few moving seconds of a Live Photo over its picture: they are fetched and play, muted, when a mouse rests on it, while it is held, and when they are told to. */
export const LivePhoto = (props: {
  readonly url: string;
  readonly isPlaying: boolean;
  readonly onPlaying: (isPlaying: boolean) => void;
}) => {
  const { isPlaying, onPlaying } = props;
  const [isShown, setIsShown] = useState(false);
  const hold = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopWaiting = (): void => {
    clearTimeout(hold.current);
    clearTimeout(rest.current);
  };
  const end = (): void => {
    stopWaiting();
    onPlaying(false);
  };
  useEffect(
    () => () => {
      clearTimeout(hold.current);
      clearTimeout(rest.current);
    },
    [],
  );
  return (
    <div
      className={styles['hold']}
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse' && !prefersLessMotion()) rest.current = setTimeout(() => onPlaying(true), restMs);
      }}
      onPointerDown={() => {
        stopWaiting();
        hold.current = setTimeout(() => onPlaying(true), holdMs);
      }}
      onPointerMove={(event) => {
        if (Math.abs(event.movementX) + Math.abs(event.movementY) > 4) clearTimeout(hold.current);
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
          data-there={isShown}
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
