import { Link } from '@tanstack/react-router';
import { Image, UserRound } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import styles from './EntityGrid.module.css';

/** Person, place or thing as a card that links to its page. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  /** True for a person without a name. */
  readonly isNameless?: boolean;
  readonly imageUrl: string | undefined;
  readonly to: '/people/$id' | '/places/$id' | '/things/$id';
}

/** MIME type of a dragged entity, which distinguishes it from other drags. */
const dragType = 'application/x-hearth-entity';

const isEntityDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(dragType);

/** Card of an entity. With `onDropOn`, it can be dragged onto another card, which receives its id. */
export const EntityCard = (props: {
  readonly entity: Entity;
  readonly isRound: boolean;
  readonly onDropOn?: ((droppedId: string) => void) | undefined;
}) => {
  const { id, name, imageUrl, to } = props.entity;
  const { onDropOn } = props;
  const PlaceholderIcon = props.isRound ? UserRound : Image;
  const [isDropTarget, setIsDropTarget] = useState(false);
  const dragging =
    onDropOn === undefined
      ? {}
      : {
          draggable: true,
          onDragStart: ({ dataTransfer }: DragEvent) => {
            dataTransfer.setData(dragType, id);
            dataTransfer.effectAllowed = 'link' as const;
          },
          onDragOver: (event: DragEvent) => {
            if (!isEntityDrag(event)) return;
            event.preventDefault();
            event.dataTransfer.dropEffect = 'link';
            setIsDropTarget(true);
          },
          onDragLeave: () => setIsDropTarget(false),
          onDrop: (event: DragEvent) => {
            const droppedId = event.dataTransfer.getData(dragType);
            setIsDropTarget(false);
            if (droppedId === '') return;
            event.preventDefault();
            if (droppedId !== id) onDropOn(droppedId);
          },
        };
  return (
    <Link to={to} params={{ id }} className={styles['entity']} data-under={isDropTarget || undefined} {...dragging}>
      <span className={[styles['picture'], props.isRound ? styles['round'] : ''].join(' ')}>
        {imageUrl === undefined ? (
          <PlaceholderIcon aria-hidden size={40} strokeWidth={1.5} />
        ) : (
          <img src={imageUrl} alt="" loading="lazy" decoding="async" draggable={false} />
        )}
      </span>
      <span className={styles['name']}>{name}</span>
    </Link>
  );
};
