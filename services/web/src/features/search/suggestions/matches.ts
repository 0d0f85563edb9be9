import type { SearchSuggestion } from '@hearth/contract/search.ts';
import { queryOptions } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Album, CalendarDays, Camera, Clock, MapPin, Shapes, User } from 'lucide-react';
import { call } from '../../../lib/api/client.ts';
import { nameOfSpan, spanOf } from '../address/spans.ts';

/** Something of the library that typed words may mean. */
export interface Match {
  readonly kind: 'person' | 'place' | 'thing' | 'album' | 'camera' | 'date';
  /** Of a person, place, thing or album. */
  readonly id: string | undefined;
  /** As the API writes it: of a date `2022` or `2022-04`. */
  readonly value: string;
  /** As people read it. */
  readonly name: string;
  /** How many items it has. */
  readonly count: number;
}

/** What the search box offers below it: a match, or a search that was made before. */
export type Offer = Match | { readonly kind: 'recent'; readonly name: string };

const kinds: ReadonlySet<string> = new Set<Match['kind']>(['person', 'place', 'thing', 'album', 'camera', 'date']);

/** What the API suggests for typed words; nothing is asked while nothing is typed. */
export const matchesQuery = (typed: string) =>
  queryOptions({
    queryKey: ['suggestions', typed],
    enabled: typed !== '',
    queryFn: ({ signal }) => call('GET /v1/search/suggestions', { query: { q: typed }, signal }),
  });

/** Suggestions as they are shown; of kinds that this version does not know none. */
export const toMatches = (suggestions: readonly SearchSuggestion[], language: string): readonly Match[] =>
  suggestions
    .filter(({ kind }) => kinds.has(kind))
    .map(({ kind, id, value, count }) => ({
      kind,
      id,
      value,
      name: kind === 'date' ? nameOfDate(value, language) : value,
      count,
    }));

function nameOfDate(date: string, language: string): string {
  const { from, to } = spanOf(date);
  return nameOfSpan(from, to, language);
}

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

/** The icon of each kind of what the box offers, and of the filter by it. */
export const offerIcons = {
  person: User,
  place: MapPin,
  thing: Shapes,
  album: Album,
  camera: Camera,
  date: CalendarDays,
  recent: Clock,
} as const;
