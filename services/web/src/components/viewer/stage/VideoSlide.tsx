import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../../lib/items/gridItem.ts';
import type { ViewedItem } from '../item/viewedItem.ts';
import { getTranscoding } from '../item/condition.ts';
import { Layers } from './Layers.tsx';
import styles from './Slide.module.css';
import { getReasonText } from '../item/getReasonText.ts';
import type { Size } from './zoom.ts';

/**
 * Video with native controls. Until the playable version exists, shows a still, the original if the browser can play
 * it, and the progress.
 */
export const VideoSlide = ({
  grid,
  item,
  alt,
  fit,
  isCurrent,
  videoRef,
  autoPlay,
  onEnded,
  onFailure,
}: {
  readonly grid: GridItem | undefined;
  readonly item: ViewedItem | undefined;
  readonly alt: string;
  readonly fit: Size;
  readonly isCurrent: boolean;
  readonly videoRef: RefObject<HTMLVideoElement | null>;
  readonly autoPlay: boolean;
  readonly onEnded: () => void;
  readonly onFailure: () => void;
}) => {
  const [failedUrls, setFailedUrls] = useState<ReadonlySet<string>>(new Set());
  const newestUrl = choosePlayableUrl(item, failedUrls);
  const [url, setUrl] = useState(newestUrl);
  // A new link to the same file would restart the video.
  if (
    newestUrl !== url &&
    (url === undefined || failedUrls.has(url) || stripSignature(newestUrl) !== stripSignature(url))
  )
    setUrl(newestUrl);
  const interrupted = useRef({ seconds: 0, wasPaused: true });
  return (
    <>
      <div className={styles['picture']} style={{ width: fit.width, height: fit.height }}>
        <Layers
          placeholder={grid?.placeholder ?? item?.placeholder}
          sources={[grid?.thumbnailUrl ?? item?.thumbnailUrl, item?.posterUrl]}
          alt={url === undefined ? alt : ''}
        />
        {url !== undefined && isCurrent && (
          // oxlint-disable-next-line jsx-a11y/media-has-caption -- home videos have no captions
          <video
            key={url}
            ref={videoRef}
            className={styles['video']}
            src={url}
            poster={item?.posterUrl}
            aria-label={alt}
            controls
            playsInline
            autoPlay={autoPlay}
            preload="metadata"
            onEnded={onEnded}
            onLoadedMetadata={({ currentTarget }) => {
              const { seconds, wasPaused } = interrupted.current;
              if (seconds > 0) currentTarget.currentTime = seconds;
              if (!wasPaused) void currentTarget.play();
            }}
            onError={({ currentTarget }) => {
              const { currentTime, paused } = currentTarget;
              if (currentTime > 0) interrupted.current = { seconds: currentTime, wasPaused: paused };
              setFailedUrls((before) => new Set(before).add(url));
              onFailure();
            }}
          />
        )}
      </div>
      {item !== undefined && isCurrent && (
        <VideoCaption item={item} isPlayable={url !== undefined} wasRefused={failedUrls.size > 0} />
      )}
    </>
  );
};

const VideoCaption = (props: {
  readonly item: ViewedItem;
  readonly isPlayable: boolean;
  readonly wasRefused: boolean;
}) => {
  const { t } = useTranslation('viewer');
  const transcoding = getTranscoding(props.item);
  const text = (): string | undefined => {
    switch (transcoding.kind) {
      case 'waiting':
        return t('video.waiting');
      case 'running':
        return transcoding.percent === undefined
          ? t('video.running')
          : t('video.progress', { percent: transcoding.percent });
      case 'stopped':
        return props.isPlayable ? undefined : `${t('video.stopped')} ${getReasonText(t, transcoding.reason)}`;
      case 'done':
        return props.isPlayable || !props.wasRefused ? undefined : t('video.refused');
    }
  };
  const caption = text();
  return (
    <p className={styles['caption']} role="status" hidden={caption === undefined}>
      {caption}
      {transcoding.kind === 'running' && transcoding.percent !== undefined && (
        <progress className={styles['progress']} max={100} value={transcoding.percent} aria-hidden />
      )}
    </p>
  );
};

/** Strips the signature, which changes with each link. */
const stripSignature = (link: string | undefined): string | undefined => link?.split('?', 1)[0];

/** Returns the playable version, or the original if this browser seems to support it. */
function choosePlayableUrl(item: ViewedItem | undefined, failedUrls: ReadonlySet<string>): string | undefined {
  const original =
    item?.mimeType !== undefined && document.createElement('video').canPlayType(item.mimeType) !== ''
      ? item.sourceUrl
      : undefined;
  return [item?.previewUrl, original].find((url) => url !== undefined && !failedUrls.has(url));
}
