import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../components/page/EmptyState.tsx';
import type { Entity } from './EntityCard.tsx';
import { EntityGrid } from './EntityGrid.tsx';
import { useDocumentTitle } from '../../../lib/browser/useDocumentTitle.ts';
import styles from './ExplorePage.module.css';
import type { Entities } from './useEntities.ts';

export const EntitiesPage = (props: {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly entities: Entities;
  readonly isRound?: boolean;
  /** Called after a drag and drop. Undefined disables dragging. */
  readonly onDropOn?: (dropped: Entity, target: Entity) => void;
  /** Contents between title and grid. */
  readonly children?: ReactNode;
}) => {
  const { entities, isLoading, error, loadMore } = props.entities;
  useDocumentTitle(props.title);
  if (error !== null) throw error;
  return (
    <div className={styles['page']}>
      <h1>{props.title}</h1>
      {props.children}
      {!isLoading && entities.length === 0 ? (
        <EmptyState icon={props.icon} title={props.emptyTitle}>
          <p>{props.emptyText}</p>
        </EmptyState>
      ) : (
        <EntityGrid
          label={props.title}
          entities={entities}
          {...(props.isRound === true ? { isRound: true } : {})}
          {...(props.onDropOn === undefined ? {} : { onDropOn: props.onDropOn })}
          {...(loadMore === undefined ? {} : { onEnd: loadMore })}
        />
      )}
    </div>
  );
};
