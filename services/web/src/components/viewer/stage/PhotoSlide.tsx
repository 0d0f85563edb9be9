import { useState } from 'react';
import type { GridItem } from '../../../lib/items/gridItem.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { Layers } from './Layers.tsx';
import { LivePhoto } from './LivePhoto.tsx';
import styles from './Slide.module.css';
import type { Originals } from './useOriginals.ts';
import { needsMorePixels, getPreviewWidth, type Size, type View } from './zoom.ts';

/** Photo on the stage: thumbnail, then preview, then the original when the zoom needs its pixels. */
export const PhotoSlide = (props: {
  readonly grid: GridItem | undefined;
  readonly item: ViewedItem | undefined;
  readonly alt: string;
  readonly fit: Size;
  readonly view: View;
  readonly originals: Originals;
  readonly isCurrent: boolean;
  readonly isPlaying: boolean;
  readonly onPlaying: (isPlaying: boolean) => void;
  readonly onSharp: () => void;
  readonly onFailure: () => void;
}) => {
  const { grid, item, fit, view } = props;
  const [wantsOriginal, setWantsOriginal] = useState(false);
  const needsOriginal = needsMorePixels(view, fit, getPreviewWidth(fit, item?.width), devicePixelRatio);
  // The original stays once loaded, so that zooming out and in does not flicker.
  if (needsOriginal && !wantsOriginal) setWantsOriginal(true);
  const original = props.originals.getUrl(item);
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
        sources={[grid?.thumbnailUrl ?? item?.thumbnailUrl, item?.previewUrl, wantsOriginal ? original : undefined]}
        alt={props.alt}
        onSharp={item?.previewUrl === undefined ? undefined : props.onSharp}
        onFailure={(source) => {
          if (item === undefined || source !== original || !props.originals.markUnsupported(item)) props.onFailure();
        }}
      />
      {item?.motionUrl !== undefined && props.isCurrent && (
        <LivePhoto url={item.motionUrl} isPlaying={props.isPlaying} onPlaying={props.onPlaying} />
      )}
    </div>
  );
};
