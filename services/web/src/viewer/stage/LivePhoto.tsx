import { useEffect, useRef, useState } from 'react';
import styles from './Slide.module.css';

/** A finger or the mouse plays the picture when it rests on it for this long. */
const holdMs = 250;

/** The few moving seconds of a Live Photo over its picture: they are fetched and play, muted, while it is held or told to play. */
export const LivePhoto = (props: {
  readonly url: string;
  readonly isPlaying: boolean;
  readonly onPlaying: (isPlaying: boolean) => void;
}) => {
  const { isPlaying, onPlaying } = props;
  const [isShown, setIsShown] = useState(false);
  const hold = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = (): void => {
    clearTimeout(hold.current);
    onPlaying(false);
  };
  useEffect(() => () => clearTimeout(hold.current), []);
  return (
    <div
      className={styles['hold']}
      onPointerDown={() => {
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
