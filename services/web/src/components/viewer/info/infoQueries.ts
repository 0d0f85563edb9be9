import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/client.ts';

const limit = 50;

/** Albums that contain an item, by name. */
export const itemAlbumsQuery = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'albums'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/albums', { params: { id }, query: { limit }, signal }),
  });

/** People in an item, named ones first. */
export const itemPeopleQuery = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'people'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/people', { params: { id }, query: { limit }, signal }),
  });

/** Place of an item: one or none. */
export const itemPlacesQuery = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'places'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/places', { params: { id }, query: { limit }, signal }),
  });

export const itemThingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['mediaItem', id, 'things'],
    queryFn: ({ signal }) => call('GET /v1/mediaItems/{id}/things', { params: { id }, query: { limit }, signal }),
  });
