import type { MediaItemEvent } from '@hearth/contract/events.ts';
import { formatEventId, type LibraryEvent } from './events.ts';
import type { ServerEvent } from './eventStream.ts';

/**
 * Converts events for clients. Keeps only the last event of each item, because events carry the current state. The kept
 * event becomes `created` if an earlier one was. Drops events of unknown kinds.
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
  data: toEventData(event),
});

const toEventData = ({ subjectId: id, change, item }: LibraryEvent): MediaItemEvent => {
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
