import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaItemQuery } from '../../lib/items/mediaItemQuery.ts';
import styles from './CellBadges.module.css';

/** Delay before the processing state is requested, in ms. Most items are ready earlier. */
const requestDelayMs = 2000;

/** Badge of an item in processing. Names the step that it waits for. */
export const ProcessingNote = ({ id, hasPicture }: { readonly id: string; readonly hasPicture: boolean }) => {
  const { t } = useTranslation('library');
  const [isDelayOver, setIsDelayOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDelayOver(true), requestDelayMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...mediaItemQuery(id), enabled: isDelayOver });
  return (
    <span className={hasPicture ? styles['cornerNote'] : styles['note']} aria-hidden>
      <Hourglass size={hasPicture ? 16 : 20} />
      {!hasPicture && <span>{t(`waiting.${getWaitReason(data)}`)}</span>}
    </span>
  );
};

/**
 * Returns what an item in processing waits for: its turn in the queue, a running step, or something the server lacks.
 */
export const getWaitReason = (
  item: Pick<MediaItemDetails, 'processing'> | undefined,
): 'unknown' | 'blocked' | 'turn' | 'details' | 'picture' => {
  const open = item?.processing.find(
    ({ component, state }) =>
      (component === 'METADATA' || component === 'PREVIEW_THUMBNAIL') && state !== 'DONE' && state !== 'SKIPPED',
  );
  if (open === undefined) return 'unknown';
  if (open.state === 'BLOCKED') return 'blocked';
  if (open.state !== 'RUNNING') return 'turn';
  return open.component === 'METADATA' ? 'details' : 'picture';
};
