import type { Schema } from './schemaText.ts';

const id = '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10';
const user = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const person = 'c9bf9e57-1685-4c89-bafb-ff5af830be8a';
const signature = 'epoch=1&expires=1649592000&key=k1&signature=hZ3m0Q';
const linkTo = (file: string): string => `/v1/files/${user}/${id}/${file}?type=image%2Fwebp&${signature}`;

/** Values of texts and numbers, by field. */
const valuesByField: Readonly<Record<string, string | number>> = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxYjRlMjhiYSJ9.c2lnbmF0dXJl',
  apertureFNumber: 2.8,
  at: '2022-04-10T07:15:02Z',
  attempts: 1,
  completedAt: '2022-04-10T03:12:44Z',
  confidence: 0.97,
  count: 3,
  createdAt: '2022-04-09T18:03:40Z',
  damaged: 0,
  date: '2022-04-03',
  description: 'In front of the Taj Mahal',
  done: 120,
  exposureTime: 0.004,
  failed: 0,
  focalLength: 35,
  free: 412_316_860_416,
  gitSha: '4c2f9e17d0b8a5e36f91c2d4708be6a1953f0c8d',
  height: 3648,
  isoEquivalent: 100,
  lastUsedAt: '2022-04-10T07:15:02Z',
  latitude: 27.1751,
  longitude: 78.0421,
  maxUploadBytes: 53_687_091_200,
  mediaItemsCount: 42,
  megapixels: 20,
  missing: 0,
  name: 'Anna',
  ok: 5210,
  placeholders: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  previewUrl: linkTo('preview.webp'),
  quotaBytes: 107_374_182_400,
  refreshToken: 'cmVmcmVzaC10b2tlbg',
  repairedRenditions: 0,
  requestId: '6d1f3a52-94f0-4a5e-8a44-0c1d8b5e7f21',
  restored: 2,
  retried: 3,
  revision: '4711',
  sizeBytes: 8_412_736,
  sourceUrl: linkTo('original'),
  thumbnail: linkTo('face.webp'),
  thumbnailUrl: linkTo('thumbnail.webp'),
  total: 5210,
  trashDays: 30,
  trashed: 2,
  trashedCount: 0,
  unchecked: 0,
  updatedAt: '2022-04-09T18:03:52Z',
  used: 87_509_532_672,
  usedBytes: 43_812_003_840,
  userId: user,
  width: 5472,
};

/** Values of fields for which neither `valuesByField` nor the first value of an enum fits. */
const valuesBySchemaField: Readonly<Record<string, unknown>> = {
  'Album.name': 'India 2022',
  'Album.description': 'Two weeks in April',
  'AuditEntry.id': 1207,
  'ComponentRun.state': 'DONE',
  'Disk.total': 499_826_393_088,
  'DuplicateGroup.mediaItemsCount': 2,
  'ExistingMediaItems.existing': { '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08': id },
  'FoundMediaItem.reasons': [{ kind: 'person', words: ['anna'], id: person, value: 'Anna' }],
  'FoundMediaItem.status': 'READY',
  'Job.components': ['FACES'],
  'Job.status': 'RUNNING',
  'MapCluster.bounds': { west: 77.9, south: 27.1, east: 78.1, north: 27.3 },
  'MediaItem.status': 'READY',
  'MediaItemDetails.status': 'READY',
  'Person.id': person,
  'Place.city': 'Agra',
  'Place.country': 'India',
  'Place.name': 'Agra',
  'Place.state': 'Uttar Pradesh',
  'Processing.blocked': [],
  'ProcessingGroup.reason': 'CORRUPT',
  'SearchSuggestion.id': person,
  'SharedAlbum.name': 'India 2022',
  'SharedAlbum.description': 'Two weeks in April',
  'TextLine.corners': [
    { x: 0.12, y: 0.3 },
    { x: 0.41, y: 0.3 },
    { x: 0.41, y: 0.36 },
    { x: 0.12, y: 0.36 },
  ],
  'Thing.name': 'Dog',
  'TimelineGrid.days': [{ date: '2022-04-03', count: 1, places: ['Agra'] }],
  'TimelineGrid.durations': [0],
  'TimelineGrid.failed': [],
  'TimelineGrid.favourites': [0],
  'TimelineGrid.processing': [],
  'TimelineGrid.ratios': [1.5],
  'TimelineGrid.thumbnailPrefixes': [`/v1/thumbnails/${user}/thumbnail-1.webp/1/1649592000/k1/hZ3m0Q/`],
  'TimelineGrid.thumbnails': [0],
  'User.name': 'Ada Lovelace',
};

/** Optional fields that a usual response does not have, such as those of videos and failures. */
const omitted = new Set([
  'coverMediaItemFaceId',
  'degraded',
  'durationSeconds',
  'errors',
  'fps',
  'mapTilesUrl',
  'motionUrl',
  'posterUrl',
  'progress',
  'postcode',
  'reason',
  'shareId',
  'stoppedAt',
  'stoppedCode',
  'stoppedReason',
  'subject',
  'town',
  'warnings',
]);

/**
 * Builds an example of a JSON value from its schema. The tables above come before the schema's own examples.
 * @throws if a text or number has no value
 */
export const buildExample = (schema: Schema, schemas: Readonly<Record<string, Schema>>): unknown => {
  const build = (each: Schema, owner: string, field: string): unknown => {
    const name = each.$ref?.split('/').at(-1);
    if (name !== undefined) return build(schemas[name]!, name, '');
    const own = valuesBySchemaField[`${owner}.${field}`];
    if (own !== undefined) return own;
    if (each.properties !== undefined) {
      const { properties, required = [] } = each;
      const shownProperties = Object.entries(properties).filter(([key]) => required.includes(key) || !omitted.has(key));
      return Object.fromEntries(
        shownProperties.map(([key, inner]) => [key, build(inner, field === '' ? owner : field, key)]),
      );
    }
    const either = (each.anyOf ?? each.oneOf)?.find(({ type }) => type !== 'null');
    if (either !== undefined) return build(either, owner, field);
    if (each.type === 'array') return [build(each.items ?? {}, owner, field)];
    if (each.const !== undefined) return each.const;
    if (each.type === 'boolean') return owner === 'Features' || field === 'current' || field === 'isComplete';
    if (each.type === 'object') return {};
    const word = each.enum?.find((one) => !/^UN(?:SPECIFIED|KNOWN)$/.test(String(one)));
    const value = valuesByField[field] ?? each.example ?? word;
    if (value === undefined) throw new Error(`scripts/site/responseExample.ts needs a value for ${owner}.${field}`);
    return value;
  };
  return build(schema, '', '');
};
