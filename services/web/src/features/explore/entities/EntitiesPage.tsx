import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../components/page/EmptyState.tsx';
import type { Entity } from './EntityCard.tsx';
import { EntityGrid } from './EntityGrid.tsx';
import { useDocumentTitle } from '../../../lib/browser/useDocumentTitle.ts';
import styles from './ExplorePage.module.css';
import type { Entities } from './useEntities.ts';

/** All entities of one kind, or what would be here. */
export const EntitiesPage = (props: {
  readonly title: string;
  readonly icon: LucideIcon;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly entities: Entities;
  readonly isRound?: boolean;
  /** Called when one was dragged onto another; without it none can be dragged. */
  readonly onDropOn?: (dropped: Entity, target: Entity) => void;
  /** Between the title and the grid. */
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
