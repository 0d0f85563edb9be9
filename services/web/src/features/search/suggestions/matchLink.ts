import { linkOptions } from '@tanstack/react-router';
import type { Match } from './matches.ts';

/** Where a match leads: its own page, the timeline at its time, or what its camera took. */
export const matchLink = ({ kind, id = '', value }: Match) => {
  switch (kind) {
    case 'album':
      return linkOptions({ to: '/albums/$albumId', params: { albumId: id } });
    case 'person':
      return linkOptions({ to: '/people/$id', params: { id } });
    case 'place':
      return linkOptions({ to: '/places/$id', params: { id } });
    case 'thing':
      return linkOptions({ to: '/things/$id', params: { id } });
    case 'camera':
      return linkOptions({ to: '/search', search: { q: '', camera: value } });
    case 'date':
      return linkOptions({ to: '/', search: { at: value } });
  }
};
