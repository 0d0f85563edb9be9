import { useState } from 'react';
import { callPage } from '../../lib/api/client.ts';
import { useMediaSource, type MediaSource } from '../../lib/items/mediaSource.ts';

/** What was taken on this day in earlier years. */
export const useYearsAgo = (): MediaSource => {
  const [monthDate] = useState(() => monthDateOf(new Date()));
  return useMediaSource(['mediaItems', 'yearsAgo', monthDate], (next, signal) =>
    callPage('GET /v1/yearsAgo/{monthDate}/mediaItems', { params: { monthDate }, query: { limit: 100 }, next, signal }),
  );
};

/** A day as the API names it in every year: `0403`. */
const monthDateOf = (date: Date): string =>
  String(date.getMonth() + 1).padStart(2, '0') + String(date.getDate()).padStart(2, '0');
