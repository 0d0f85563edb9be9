import type { MediaItemEvent } from '@hearth/contract/events.ts';
import { formatEventId, type LibraryEvent } from '@hearth/core/db/events/events.ts';
import type { ServerEvent } from './eventStream.ts';

/**
 * Events as a client is told them: of those of one thing the last, in its place. What is told is the present state, so that the
 * earlier ones would say nothing else; only that the thing is new is kept. Kinds that this version does not know are left out.
 */
export const presentLibraryEvents = (events: readonly LibraryEvent[]): ServerEvent[] => {
  const latest = new Map<string, LibraryEvent>();
  for (const event of events) {
    const key = `${event.kind} ${event.subjectId}`;
    const isNew = latest.get(key)?.change === 'created' && event.change === 'updated';
    latest.delete(key);
    latest.set(key, isNew ? { ...event, change: 'created' } : event);
  }
  return [...latest.values()].filter(({ kind }) => kind === 'mediaItem').map(presentMediaItemEvent);
};

const presentMediaItemEvent = (event: LibraryEvent): ServerEvent => ({
  event: event.kind,
  id: formatEventId(event.position),
  data: dataOf(event),
});

const dataOf = ({ subjectId: id, change, item }: LibraryEvent): MediaItemEvent => {
  if (item === undefined) return { type: 'removed', id };
  return {
    type: change === 'created' ? 'created' : 'updated',
    id,
    status: item.status,
    favourite: item.isFavourite,
    hidden: item.isHidden,
    deleted: item.isTrashed,
    listed: !item.isMotionHalf,
    localTime: item.localTime,
  };
};
