import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBox } from '../../components/grid/input/useBox.ts';
import { GroupCard } from './GroupCard.tsx';
import styles from './DuplicatesPage.module.css';

/** Groups that are rendered above and below the screen. */
const overscan = 3;

/** The next page is loaded when this many groups or fewer follow what is rendered. */
const loadAhead = 5;

/** How high a group is before it is measured, in CSS pixels. */
const likelyHeight = 400;

/** A list of groups, of which only those near the screen are rendered. `onMore` is called when the last one comes near. */
export const GroupList = (props: {
  readonly groups: readonly DuplicateGroup[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
}) => {
  const { t } = useTranslation('duplicates');
  const { groups, hasMore, onMore } = props;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const { width, pageTop } = useBox(element);
  // oxlint-disable-next-line react/incompatible-library -- what it answers is used in this component alone, which the compiler passes over
  const virtualizer = useWindowVirtualizer({
    count: width === 0 ? 0 : groups.length,
    estimateSize: () => likelyHeight,
    getItemKey: (index) => groups[index]?.id ?? index,
    overscan,
    scrollMargin: pageTop,
  });
  const rendered = virtualizer.getVirtualItems();
  const lastRendered = rendered.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && width > 0 && lastRendered >= groups.length - 1 - loadAhead) onMore();
  });
  return (
    <ul
      ref={setElement}
      aria-label={t('groups')}
      aria-busy={width === 0}
      className={styles['list']}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rendered.map(({ index, key, start }) => {
        const group = groups[index];
        return (
          group !== undefined && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : groups.length}
              className={styles['row']}
              style={{ top: start - pageTop }}
            >
              <GroupCard group={group} />
            </li>
          )
        );
      })}
    </ul>
  );
};
