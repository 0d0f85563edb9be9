import { CircleAlert, CirclePlay, Heart } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { formatDuration } from '../../lib/i18n/formats.ts';
import styles from './CellBadges.module.css';
import { ProcessingNote } from './ProcessingNote.tsx';

/** Badges over a picture in a grid. Hidden from screen readers, because the cell name contains the same information. */
export const CellBadges = ({ item }: { readonly item: GridItem }) => (
  <>
    {item.kind !== 'photo' && <KindBadge item={item} />}
    {item.note !== undefined && (
      <span className={styles['words']} aria-hidden>
        {item.note}
      </span>
    )}
    {item.favourite && (
      <span className={styles['favourite']} aria-hidden>
        <Heart size={16} fill="currentColor" />
      </span>
    )}
    {item.status === 'PROCESSING' && <ProcessingNote id={item.id} hasPicture={item.thumbnailUrl !== undefined} />}
    {item.status === 'FAILED' && <FailedNote />}
  </>
);

const KindBadge = ({ item }: { readonly item: GridItem }) => {
  const { t } = useTranslation('library');
  return (
    <span className={styles['kind']} aria-hidden>
      {item.kind === 'video' && (
        <>
          {item.durationSeconds !== undefined && formatDuration(item.durationSeconds)}
          <CirclePlay size={16} />
        </>
      )}
      {item.kind === 'live' && t('badge.live')}
      {item.kind === 'animated' && t('badge.animated')}
    </span>
  );
};

const FailedNote = () => {
  const { t } = useTranslation('library');
  return (
    <span className={styles['note']} aria-hidden>
      <CircleAlert size={20} />
      <span>{t('state.failed')}</span>
    </span>
  );
};
