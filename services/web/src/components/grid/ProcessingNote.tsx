import type { MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mediaItemQuery } from '../../lib/items/mediaItemQuery.ts';
import styles from './CellBadges.module.css';

/** Most items are ready before this, in milliseconds: only those that one looks at for longer are asked for. */
const askAfterMs = 2000;

/** Says on an item that is still being prepared what it waits for. */
export const ProcessingNote = ({ id, hasPicture }: { readonly id: string; readonly hasPicture: boolean }) => {
  const { t } = useTranslation('library');
  const [isPatient, setIsPatient] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(true), askAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...mediaItemQuery(id), enabled: isPatient });
  return (
    <span className={hasPicture ? styles['cornerNote'] : styles['note']} aria-hidden>
      <Hourglass size={hasPicture ? 16 : 20} />
      {!hasPicture && <span>{t(`waiting.${waitsFor(data)}`)}</span>}
    </span>
  );
};

/** What an item that is not ready waits for: its turn, a step that runs, or something that this server cannot do now. */
export const waitsFor = (
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
