import type { SearchSuggestion } from '@hearth/contract/search.ts';
import { queryOptions } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Album, CalendarDays, Camera, Clock, MapPin, Shapes, User } from 'lucide-react';
import { call } from '../../../lib/api/client.ts';
import { formatSpan, toSpan } from '../address/dateSpans.ts';

/** Entity or date that the typed text may refer to. */
export interface Match {
  readonly kind: 'person' | 'place' | 'thing' | 'album' | 'camera' | 'date';
  /** Defined for a person, place, thing or album. */
  readonly id: string | undefined;
  /** API value; for a date, `2022` or `2022-04`. */
  readonly value: string;
  readonly name: string;
  readonly count: number;
}

/** Entry of the suggestion list: a match or a recent search. */
export type Suggestion = Match | { readonly kind: 'recent'; readonly name: string };

const kinds: ReadonlySet<string> = new Set<Match['kind']>(['person', 'place', 'thing', 'album', 'camera', 'date']);

/** Suggestions of the API. Disabled while `typed` is empty. */
export const matchesQuery = (typed: string) =>
  queryOptions({
    queryKey: ['suggestions', typed],
    enabled: typed !== '',
    queryFn: ({ signal }) => call('GET /v1/search/suggestions', { query: { q: typed }, signal }),
  });

/** Converts suggestions for display. Ignores unknown kinds of a later version. */
export const toMatches = (suggestions: readonly SearchSuggestion[], language: string): readonly Match[] =>
  suggestions
    .filter(({ kind }) => kinds.has(kind))
    .map(({ kind, id, value, count }) => ({
      kind,
      id,
      value,
      name: kind === 'date' ? formatDate(value, language) : value,
      count,
    }));

function formatDate(date: string, language: string): string {
  const { from, to } = toSpan(date);
  return formatSpan(from, to, language);
}

/** Returns the link of a match: the entity's page, the timeline at a date, or a search by camera. */
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

export const suggestionIcons = {
  person: User,
  place: MapPin,
  thing: Shapes,
  album: Album,
  camera: Camera,
  date: CalendarDays,
  recent: Clock,
} as const;
