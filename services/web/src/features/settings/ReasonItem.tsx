import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProcessingGroup } from '@hearth/contract/processing.ts';
import type { Reason } from '@hearth/contract/reasons.ts';
import { getReasonText } from '../../components/viewer/item/getReasonText.ts';
import { ownItemQuery } from '../../components/viewer/item/viewedItem.ts';
import styles from './ProcessingSection.module.css';

export const ReasonItem = ({ group, action }: { readonly group: ReasonGroup; readonly action?: ReactNode }) => {
  const { t } = useTranslation('settings');
  const { t: viewerText } = useTranslation('viewer');
  const itemCount = useItemCount();
  const examples = useQueries({ queries: group.examples.map((id) => ownItemQuery(id)) });
  const components = group.components
    .map((component) => t(`components.${component}.name`, { ns: 'common' }))
    .join(', ');
  return (
    <li className={styles['group']}>
      <div className={styles['words']}>
        <p id={`reason-${group.reason}`}>{getReasonText(viewerText, group.reason)}</p>
        <p className={styles['details']}>
          {itemCount(group.count)} · {components}
        </p>
        {examples.length > 0 && (
          <ul className={styles['examples']}>
            {group.examples.map((id, index) => (
              <li key={id}>
                <Link to="/" search={{ item: id }}>
                  {examples[index]?.data?.filename ?? t('processingExample', { number: index + 1 })}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
      {action}
    </li>
  );
};

/** The server stops counting here (`maxProcessingCount` of the contract). */
const maxCount = 10_000;

/** Returns a function that formats a number of items: `312 photos and videos`, `10,000 or more photos and videos`. */
export const useItemCount = (): ((count: number) => string) => {
  const { t } = useTranslation('settings');
  return (count) => t(count >= maxCount ? 'processingManyItems' : 'processingItems', { count });
};

/** Items that failed or are blocked for one reason, across components. */
interface ReasonGroup {
  readonly reason: Reason;
  /** Lower bound: one item may be counted in several components. */
  readonly count: number;
  readonly components: readonly ProcessingGroup['component'][];
  /** At most three. */
  readonly examples: readonly string[];
}

/** Merges groups with the same reason, most frequent first. */
export const groupByReason = (groups: readonly ProcessingGroup[]): readonly ReasonGroup[] =>
  [...Map.groupBy(groups, ({ reason }) => reason)]
    .map(([reason, same]) => {
      const examples = [...new Set(same.flatMap((group) => group.examples))];
      return {
        reason,
        count: Math.max(examples.length, ...same.map(({ count }) => count)),
        components: same.map(({ component }) => component),
        examples: examples.slice(0, 3),
      };
    })
    .toSorted((one, other) => other.count - one.count);
