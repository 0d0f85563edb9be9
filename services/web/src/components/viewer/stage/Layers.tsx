import { useEffect, useRef, useState } from 'react';
import { getAverageColour, paintThumbHash } from '../../grid/layout/thumbHashImage.ts';
import styles from './Layers.module.css';

/**
 * Stack of increasingly sharp versions of a picture in one box. Each appears when fully loaded, so that the box is
 * never blank.
 */
export const Layers = (props: {
  readonly placeholder: string | undefined;
  /** From coarsest to finest. */
  readonly sources: readonly (string | undefined)[];
  readonly alt: string;
  /** Called when the finest version has loaded. */
  readonly onSharp?: (() => void) | undefined;
  /** Called with the URL of a version that failed to load. The layers below stay. */
  readonly onFailure?: ((source: string) => void) | undefined;
}) => {
  const sources = props.sources.filter((source) => source !== undefined);
  return (
    <>
      {props.placeholder !== undefined && <Placeholder key={props.placeholder} thumbHash={props.placeholder} />}
      {sources.map((source, index) => (
        <Layer
          key={source}
          source={source}
          isCoarsest={index === 0}
          alt={index === sources.length - 1 ? props.alt : ''}
          onLoad={index === sources.length - 1 ? props.onSharp : undefined}
          onError={() => props.onFailure?.(source)}
        />
      ))}
    </>
  );
};

const Layer = (props: {
  readonly source: string;
  readonly isCoarsest: boolean;
  readonly alt: string;
  readonly onLoad: (() => void) | undefined;
  readonly onError: () => void;
}) => {
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <img
      src={props.source}
      alt={props.alt}
      className={styles['layer']}
      data-loaded={isLoaded}
      ref={(image) => {
        // An image from the cache is visible in the first frame.
        if (image?.complete === true && image.naturalWidth > 0) setIsLoaded(true);
      }}
      decoding={props.isCoarsest ? 'sync' : 'async'}
      draggable={false}
      onLoad={() => {
        setIsLoaded(true);
        props.onLoad?.();
      }}
      onError={props.onError}
    />
  );
};

const Placeholder = ({ thumbHash }: { readonly thumbHash: string }) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current === null ? undefined : paintThumbHash(canvas.current, thumbHash)), [thumbHash]);
  return (
    <canvas
      ref={canvas}
      className={styles['layer']}
      style={{ backgroundColor: getAverageColour(thumbHash) }}
      aria-hidden
    />
  );
};
