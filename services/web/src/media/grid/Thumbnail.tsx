import { useEffect, useRef, useState } from 'react';
import styles from './Thumbnail.module.css';
import { averageColour, paintAfterMs, paintThumbHash } from './thumbHashImage.ts';

/** A picture of a grid: its mean colour at once, its ThumbHash soon, and the thumbnail fading in over it. It fills what it lies in. */
export const Thumbnail = (props: { readonly url: string | undefined; readonly placeholder: string | undefined }) => {
  const { url, placeholder } = props;
  const image = useRef<HTMLImageElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [begunMs] = useState(() => performance.now());
  useEffect(() => {
    if (placeholder === undefined || canvas.current === null) return undefined;
    const shown = image.current;
    if (shown?.complete === true) {
      shown.dataset['loaded'] = 'soon';
      return undefined;
    }
    const stop = paintThumbHash(canvas.current, placeholder);
    shown?.addEventListener('load', stop, { once: true });
    return () => {
      shown?.removeEventListener('load', stop);
      stop();
    };
  }, [placeholder]);
  useEffect(() => {
    const shown = image.current;
    if (url === undefined || shown === null) return undefined;
    // React's strict mode calls this twice.
    if (!shown.hasAttribute('src')) shown.src = url;
    // A browser goes on loading for pictures that are gone, and what is on the screen now would wait for that.
    return () => {
      if (!shown.complete) shown.removeAttribute('src');
    };
  }, [url]);
  return (
    <span
      className={styles['picture']}
      style={placeholder === undefined ? undefined : { backgroundColor: averageColour(placeholder) }}
    >
      {placeholder !== undefined && <canvas ref={canvas} width={0} height={0} className={styles['layer']} />}
      {url !== undefined && (
        <img
          ref={image}
          src={url}
          alt=""
          draggable={false}
          decoding="async"
          className={styles['layer']}
          // Without React's state: hundreds of these load while one scrolls.
          onLoad={({ currentTarget }) => {
            currentTarget.dataset['loaded'] = performance.now() - begunMs < paintAfterMs ? 'soon' : 'late';
          }}
        />
      )}
    </span>
  );
};
