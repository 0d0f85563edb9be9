import { Link } from '@tanstack/react-router';
import { Image, UserRound } from 'lucide-react';
import { useState, type DragEvent } from 'react';
import styles from './EntityGrid.module.css';

/** A person, place or thing as a picture with its name below, which leads to its page. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  /** Whether it is a person whom nobody has named yet. */
  readonly isNameless?: boolean;
  readonly imageUrl: string | undefined;
  readonly to: '/people/$id' | '/places/$id' | '/things/$id';
}

/** What a dragged entity says of itself: nothing else that is dragged over the page has it. */
const dragType = 'application/x-hearth-entity';

const isWanted = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(dragType);

/** One entity in a grid. With `onDropOn` it can be dragged onto another one, and is told which one was dropped on it, by its id. */
export const EntityCard = (props: {
  readonly entity: Entity;
  readonly isRound: boolean;
  readonly onDropOn?: ((droppedId: string) => void) | undefined;
}) => {
  const { id, name, imageUrl, to } = props.entity;
  const { onDropOn } = props;
  const Missing = props.isRound ? UserRound : Image;
  const [isUnder, setIsUnder] = useState(false);
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
            if (!isWanted(event)) return;
            event.preventDefault();
            event.dataTransfer.dropEffect = 'link';
            setIsUnder(true);
          },
          onDragLeave: () => setIsUnder(false),
          onDrop: (event: DragEvent) => {
            const droppedId = event.dataTransfer.getData(dragType);
            setIsUnder(false);
            if (droppedId === '') return;
            event.preventDefault();
            if (droppedId !== id) onDropOn(droppedId);
          },
        };
  return (
    <Link to={to} params={{ id }} className={styles['entity']} data-under={isUnder || undefined} {...dragging}>
      <span className={[styles['picture'], props.isRound ? styles['round'] : ''].join(' ')}>
        {imageUrl === undefined ? (
          <Missing aria-hidden size={40} strokeWidth={1.5} />
        ) : (
          <img src={imageUrl} alt="" loading="lazy" decoding="async" draggable={false} />
        )}
      </span>
      <span className={styles['name']}>{name}</span>
    </Link>
  );
};
