import { linkOptions } from '@tanstack/react-router';
import type { Match } from './useMatches.ts';

/** Where a match leads: its own page, or the timeline at its month. */
export const matchLink = ({ kind, id }: Match) => {
  switch (kind) {
    case 'album':
      return linkOptions({ to: '/albums/$albumId', params: { albumId: id } });
    case 'person':
      return linkOptions({ to: '/people/$id', params: { id } });
    case 'place':
      return linkOptions({ to: '/places/$id', params: { id } });
    case 'thing':
      return linkOptions({ to: '/things/$id', params: { id } });
    case 'date':
      return linkOptions({ to: '/', search: { at: id } });
  }
};
