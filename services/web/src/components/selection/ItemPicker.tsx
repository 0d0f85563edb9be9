import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridItem } from '../../lib/items/gridItem.ts';
import styles from './ItemPicker.module.css';
import type { MediaSource } from '../../lib/items/mediaSource.ts';

/** Grid of small pictures in a dialog, to choose one or several. */
export const ItemPicker = (props: {
  readonly source: MediaSource;
  /** Accessible name of the list. */
  readonly label: string;
  readonly chosen: ReadonlySet<string>;
  /** Returns whether an item was chosen earlier and is disabled. */
  readonly isTaken?: (id: string) => boolean;
  readonly onToggle: (id: string) => void;
}) => {
  const { items, hasMore, loadMore } = props.source;
  const { t } = useTranslation('albums');
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || !hasMore) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && loadMore());
    observer.observe(element);
    return () => observer.disconnect();
  });
  if (items.length === 0)
    return (
      <p role="status" className={styles['none']}>
        {props.source.isLoading ? t('loading', { ns: 'common' }) : t('picker.none')}
      </p>
    );
  return (
    <ul className={styles['items']} aria-label={props.label}>
      {items.map((item) => (
        <li key={item.id} className={styles['item']}>
          <Choice
            item={item}
            isChosen={props.chosen.has(item.id)}
            isTaken={props.isTaken?.(item.id) === true}
            onToggle={props.onToggle}
          />
        </li>
      ))}
      <li ref={end} aria-hidden />
    </ul>
  );
};

const Choice = (props: {
  readonly item: GridItem;
  readonly isChosen: boolean;
  readonly isTaken: boolean;
  readonly onToggle: (id: string) => void;
}) => {
  const { t, i18n } = useTranslation('albums');
  const { item, isChosen } = props;
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${item.day}T00:00:00Z`),
  );
  return (
    <button
      type="button"
      className={styles['choice']}
      aria-pressed={isChosen || props.isTaken}
      aria-label={t(item.kind === 'video' ? 'picker.video' : 'picker.photo', { day })}
      disabled={props.isTaken}
      onClick={() => props.onToggle(item.id)}
    >
      {item.thumbnailUrl !== undefined && <img src={item.thumbnailUrl} alt="" loading="lazy" decoding="async" />}
      {(isChosen || props.isTaken) && (
        <span className={styles['check']}>
          <Check aria-hidden size={18} strokeWidth={2.5} />
        </span>
      )}
    </button>
  );
};
