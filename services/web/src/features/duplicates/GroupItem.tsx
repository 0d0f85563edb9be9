import type { MediaItem } from '@hearth/contract/mediaItem.ts';
import { Link } from '@tanstack/react-router';
import { Award, Heart } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatLocale } from '../../lib/i18n/formats.ts';
import { Thumbnail } from '../../components/grid/Thumbnail.tsx';
import styles from './GroupItem.module.css';
import { hasMotion, isRaw, type explainBest } from './explainBest.ts';

/**
 * Photo of a group with its size, dimensions and kind, and a checkbox to keep it. Clicking the picture opens the
 * comparison.
 */
export const GroupItem = (props: {
  readonly groupId: string;
  readonly item: MediaItem;
  readonly isBest: boolean;
  readonly why: ReturnType<typeof explainBest>;
  /** Undefined: no checkbox. */
  readonly isKept: boolean | undefined;
  readonly isDisabled: boolean;
  readonly onKeep: (isKept: boolean) => void;
}) => {
  const { t, i18n } = useTranslation(['duplicates', 'library']);
  const { item, why: reason } = props;
  const { filename, width, height, sizeBytes } = item;
  const facts = [
    hasMotion(item) && t('library:kind.live'),
    isRaw(item) && t('raw'),
    width !== undefined && height !== undefined && `${width} × ${height}`,
    formatBytes(sizeBytes, formatLocale(i18n.language)),
  ].filter((fact) => fact !== false);
  return (
    <li className={styles['item']} data-kept={props.isKept}>
      {props.isBest && (
        <p className={styles['best']}>
          <Award aria-hidden size={16} strokeWidth={1.75} />
          {reason === undefined ? t('best') : `${t('best')}: ${t(`bestFor.${reason}`)}`}
        </p>
      )}
      <Link
        to="/duplicates/$id"
        params={{ id: props.groupId }}
        search={{ item: item.id }}
        aria-label={t('compare', { name: filename })}
        className={styles['picture']}
      >
        <Thumbnail url={item.thumbnailUrl} placeholder={item.placeholder} />
        {item.favourite && (
          <span className={styles['heart']}>
            <Heart size={16} fill="currentColor" aria-hidden />
            <span className="visually-hidden">{t('library:state.favourite')}</span>
          </span>
        )}
      </Link>
      <p className={styles['name']} title={filename}>
        {filename}
      </p>
      <p className={styles['facts']}>{facts.join('  ·  ')}</p>
      {props.isKept !== undefined && (
        <label className={styles['keep']}>
          <input
            type="checkbox"
            checked={props.isKept}
            disabled={props.isDisabled}
            onChange={({ target }) => props.onKeep(target.checked)}
          />
          <span>
            {t('kept')} <span className="visually-hidden">{filename}</span>
          </span>
        </label>
      )}
    </li>
  );
};
