import type { DuplicateGroup } from '@hearth/contract/duplicates.ts';
import { Link } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './GroupCard.module.css';
import { GroupItem } from './GroupItem.tsx';
import { ReviewActions } from './ReviewActions.tsx';
import { useReview } from './useReview.ts';
import { explainBest } from './explainBest.ts';

/**
 * Group of duplicates: its best photos side by side, and the review actions. If these are all its photos, checkboxes
 * choose those to keep. Otherwise, the card links to the page of the group, which shows all photos.
 */
export const GroupCard = ({ group }: { readonly group: DuplicateGroup }) => {
  const { t } = useTranslation('duplicates');
  const { id, mediaItems, mediaItemsCount: count, reviewed } = group;
  const [best, second] = mediaItems;
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const review = useReview(group, () => focusNextCard(card.current));
  const isGroupComplete = count <= mediaItems.length;
  const kept = mediaItems.flatMap((item) =>
    (chosen === undefined ? item === best : chosen.has(item.id)) ? [item.id] : [],
  );
  return (
    <section ref={card} aria-labelledby={titleId} className={styles['card']}>
      <header className={styles['head']}>
        <h2 id={titleId} tabIndex={-1}>
          {t('group', { count })}
        </h2>
        {!isGroupComplete && (
          <Link to="/duplicates/$id" params={{ id }} className={styles['all']}>
            {t('showAll', { count })}
          </Link>
        )}
      </header>
      <ul className={styles['items']}>
        {mediaItems.map((item) => (
          <GroupItem
            key={item.id}
            groupId={id}
            item={item}
            isBest={item === best && !reviewed}
            why={item === best ? explainBest(item, second) : undefined}
            isKept={reviewed || !isGroupComplete ? undefined : kept.includes(item.id)}
            isDisabled={review.isPending}
            onKeep={(isKept) => {
              const next = new Set(kept);
              if (isKept) next.add(item.id);
              else next.delete(item.id);
              setChosen(next);
            }}
          />
        ))}
      </ul>
      <ReviewActions group={group} kept={isGroupComplete ? kept : undefined} review={review} />
    </section>
  );
};

/** Moves keyboard focus to the next group, or from the last group to the previous one, instead of losing it. */
const focusNextCard = (card: HTMLElement | null): void => {
  if (card?.contains(document.activeElement) !== true) return;
  const row = card.closest('li');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  neighbour?.querySelector('h2')?.focus();
};
