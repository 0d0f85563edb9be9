import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLiveEvents } from '../api/useLiveEvents.ts';
import { transcodingOf } from './stage/condition.ts';
import type { ViewedItemQuery } from './viewedItem.ts';

/** How often it is asked how far a video has come; the server tells of it only when it is done. */
const progressMs = 3000;

/** Keeps the item that is shown as the server has it: again when it changes, and now and then while a version of a video is being made. */
export const LiveRefresh = ({ id, getItem }: { readonly id: string; readonly getItem: ViewedItemQuery }) => {
  const client = useQueryClient();
  useQuery({
    ...getItem(id),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && transcodingOf(data).kind === 'running' ? progressMs : false,
  });
  useLiveEvents((event) => {
    if (event.name === 'reset' || (event.name === 'mediaItem' && event.data.id === id)) {
      void client.invalidateQueries({ queryKey: getItem(id).queryKey });
    }
  });
  return null;
};
