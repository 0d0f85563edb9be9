import { useEffect, useRef } from 'react';
import { EntityCard, type Entity } from './EntityCard.tsx';
import styles from './EntityGrid.module.css';

/** Entities in a grid, or in one row that scrolls sideways. Calls `onEnd` near the last one. */
export const EntityGrid = (props: {
  readonly label: string;
  readonly entities: readonly Entity[];
  readonly isRow?: boolean;
  readonly isRound?: boolean;
  readonly onEnd?: () => void;
  /** Called after a drag and drop. Undefined disables dragging. */
  readonly onDropOn?: (dropped: Entity, target: Entity) => void;
}) => {
  const { entities, onDropOn } = props;
  return (
    <ul aria-label={props.label} className={props.isRow === true ? styles['row'] : styles['grid']}>
      {entities.map((entity) => (
        <li key={entity.id}>
          <EntityCard
            entity={entity}
            isRound={props.isRound === true}
            onDropOn={
              onDropOn === undefined
                ? undefined
                : (droppedId) => {
                    const dropped = entities.find(({ id }) => id === droppedId);
                    if (dropped !== undefined) onDropOn(dropped, entity);
                  }
            }
          />
        </li>
      ))}
      {props.onEnd !== undefined && <EndMark onSeen={props.onEnd} />}
    </ul>
  );
};

const EndMark = ({ onSeen }: { readonly onSeen: () => void }) => {
  const mark = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) onSeen();
      },
      { rootMargin: '600px' },
    );
    if (mark.current !== null) observer.observe(mark.current);
    return () => observer.disconnect();
  });
  return <li ref={mark} aria-hidden />;
};
