import { useEffect, useRef } from 'react';
import styles from './Thumbnail.module.css';
import { getAverageColour, showThumbHash } from './layout/thumbHashImage.ts';

/**
 * Picture that fills its container: the average colour at once, the ThumbHash if the thumbnail is slow, then the
 * thumbnail.
 */
export const Thumbnail = (props: { readonly url: string | undefined; readonly placeholder: string | undefined }) => {
  const { url, placeholder } = props;
  const image = useRef<HTMLImageElement>(null);
  const picture = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const shown = image.current;
    if (placeholder === undefined || picture.current === null || shown?.complete === true) return undefined;
    const stop = showThumbHash(picture.current, placeholder);
    shown?.addEventListener('load', stop, { once: true });
    return () => {
      shown?.removeEventListener('load', stop);
      stop();
    };
  }, [placeholder]);
  useEffect(() => {
    const shown = image.current;
    if (url === undefined || shown === null) return undefined;
    // React's strict mode runs effects twice.
    if (!shown.hasAttribute('src')) shown.src = url;
    // Browsers continue to load removed images, which would delay those on the screen.
    return () => {
      if (!shown.complete) shown.removeAttribute('src');
    };
  }, [url]);
  return (
    <span
      ref={picture}
      className={styles['picture']}
      style={placeholder === undefined ? undefined : { backgroundColor: getAverageColour(placeholder) }}
    >
      {url !== undefined && (
        <img ref={image} src={url} alt="" draggable={false} decoding="async" className={styles['layer']} />
      )}
    </span>
  );
};
