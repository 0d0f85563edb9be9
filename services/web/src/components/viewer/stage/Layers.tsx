import { useEffect, useRef, useState } from 'react';
import { averageColour, paintThumbHash } from '../../grid/layout/thumbHashImage.ts';
import styles from './Layers.module.css';

/**
 * A picture that becomes sharper: what is there at once lies below, what takes longer is laid over it when all of it has come, so that nothing is
 * ever blank. All are stretched over the same box.
 */
export const Layers = (props: {
  readonly placeholder: string | undefined;
  /** From the coarsest to the finest. */
  readonly sources: readonly (string | undefined)[];
  readonly alt: string;
  /** Called when the finest one that is known has come. */
  readonly onSharp?: (() => void) | undefined;
  /** Called when one of them does not come, with its address; what lies below stays. */
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
  const [isThere, setIsThere] = useState(false);
  return (
    <img
      src={props.source}
      alt={props.alt}
      className={styles['layer']}
      data-there={isThere}
      ref={(image) => {
        // One that the browser has already is there in the very first frame.
        if (image?.complete === true && image.naturalWidth > 0) setIsThere(true);
      }}
      decoding={props.isCoarsest ? 'sync' : 'async'}
      draggable={false}
      onLoad={() => {
        setIsThere(true);
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
      style={{ backgroundColor: averageColour(thumbHash) }}
      aria-hidden
    />
  );
};
