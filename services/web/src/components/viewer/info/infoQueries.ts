import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/client.ts';

/** How many of a kind the panel names. */
const limit = 50;

/** The albums that an item is in, by name. */
export const albumsOfItem = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'albums'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/albums', { params: { id }, query: { limit }, signal }),
  });

/** Who is seen on an item, those with a name first. */
export const peopleOfItem = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'people'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/people', { params: { id }, query: { limit }, signal }),
  });

/** Where an item was taken: one place, or none. */
export const placesOfItem = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'places'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/places', { params: { id }, query: { limit }, signal }),
  });

/** What is seen on an item. */
export const thingsOfItem = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'things'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/things', { params: { id }, query: { limit }, signal }),
  });
