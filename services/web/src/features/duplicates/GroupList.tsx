import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useElementBox } from '../../components/grid/input/useElementBox.ts';
import { GroupCard } from './GroupCard.tsx';
import styles from './DuplicatesPage.module.css';

/** Groups rendered above and below the viewport. */
const overscan = 3;

/** The next page loads when at most this many groups follow the rendered ones. */
const loadAhead = 5;

/** Estimated height of a group before it is measured, in CSS pixels. */
const estimatedHeight = 400;

/** Virtualized list of groups. Calls `onMore` near its end. */
export const GroupList = (props: {
  readonly groups: readonly DuplicateGroup[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
}) => {
  const { t } = useTranslation('duplicates');
  const { groups, hasMore, onMore } = props;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const { width, pageTop } = useElementBox(element);
  // oxlint-disable-next-line react/incompatible-library -- only this component uses the result, and the React compiler skips it
  const virtualizer = useWindowVirtualizer({
    count: width === 0 ? 0 : groups.length,
    estimateSize: () => estimatedHeight,
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
