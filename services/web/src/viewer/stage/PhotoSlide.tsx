import { useState } from 'react';
import type { GridItem } from '../../media/gridItem.ts';
import type { ViewedItem } from '../viewedItem.ts';
import { Layers } from './Layers.tsx';
import { LivePhoto } from './LivePhoto.tsx';
import styles from './Slide.module.css';
import { needsMorePixels, type Size, type View } from './zoom.ts';

/** The longer side of a preview, in pixels. */
const previewPx = 1440;

/** The kinds of files that every browser shows, so that the original can stand for the preview when more pixels are needed. */
const shownByBrowsers = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

/** A photo as it lies on the stage: from the thumbnail to the preview, and to the original where zoom asks for its pixels. */
export const PhotoSlide = (props: {
  readonly grid: GridItem | undefined;
  readonly item: ViewedItem | undefined;
  readonly alt: string;
  readonly fit: Size;
  readonly view: View;
  readonly isCurrent: boolean;
  readonly isPlaying: boolean;
  readonly onPlaying: (isPlaying: boolean) => void;
  readonly onSharp: () => void;
  readonly onFailure: () => void;
}) => {
  const { grid, item, fit, view } = props;
  const [wantsOriginal, setWantsOriginal] = useState(false);
  const previewWidth = fit.width >= fit.height ? previewPx : (previewPx * fit.width) / fit.height;
  const needsOriginal = needsMorePixels(
    view,
    fit,
    Math.min(previewWidth, item?.width ?? previewWidth),
    devicePixelRatio,
  );
  // Once it was fetched it stays, so that zooming out and in again does not flicker.
  if (needsOriginal && !wantsOriginal) setWantsOriginal(true);
  const hasOriginal = shownByBrowsers.has(item?.mimeType ?? '');
  return (
    <div
      className={styles['picture']}
      style={{
        width: fit.width,
        height: fit.height,
        transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
      }}
    >
      <Layers
        placeholder={grid?.placeholder ?? item?.placeholder}
        sources={[
          grid?.thumbnailUrl ?? item?.thumbnailUrl,
          item?.previewUrl,
          wantsOriginal && hasOriginal ? item?.sourceUrl : undefined,
        ]}
        alt={props.alt}
        onSharp={item?.previewUrl === undefined ? undefined : props.onSharp}
        onFailure={props.onFailure}
      />
      {item?.motionUrl !== undefined && props.isCurrent && (
        <LivePhoto url={item.motionUrl} isPlaying={props.isPlaying} onPlaying={props.onPlaying} />
      )}
    </div>
  );
};
