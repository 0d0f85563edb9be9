import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { fetchLink, type RouteName } from '../client.ts';
import type { RouteFixture, RouteContext } from './routeContext.ts';

/** Number of wrong ids after which a visitor is locked out. */
const maxGuesses = 20;

/** Reads a file with every kind of request that its link supports, and with a wrong link. */
const readLink = async ({ api }: RouteContext, link: string): Promise<void> => {
  const etag = (await fetchLink(api.url, link)).headers.get('etag') ?? '';
  for (const [name, value] of [
    ['range', 'bytes=0-9'],
    ['range', 'bytes=99999999-'],
    ['if-none-match', etag],
  ] as const) {
    await fetchLink(api.url, link, { headers: { [name]: value } });
  }
  await fetchLink(api.url, `${link}x`);
};

/** Requests a shared album, then unknown albums until the rate limit rejects the request. */
const callWithLink =
  (name: RouteName): RouteFixture =>
  async ({ api, share }) => {
    await api.call(name, { params: { id: share } });
    for (let n = 0; n <= maxGuesses; n++) await api.call(name, { params: { id: randomUUID() } });
    await api.deps.db.deleteFrom('login_attempts').execute();
  };

/** Route fixtures of requests without a session: linked files and shared albums. */
export const sharingFixtures = {
  getFile: async (context) => {
    const { sourceUrl } = (await context.user.call('getMediaItem', { params: { id: context.item } })).body;
    await readLink(context, sourceUrl);
    const damaged = await context.createItem();
    const { body } = await context.user.call('getMediaItem', { params: { id: damaged } });
    await context.api.deps.objects.put(
      originalKey(context.user.id, damaged),
      Readable.from([Buffer.from('damaged')], { objectMode: false }),
    );
    await fetchLink(context.api.url, body.sourceUrl);
  },
  getThumbnail: async (context) => {
    const { body } = await context.user.call('getTimelineGrid', { params: { section: '2020-04' } });
    await readLink(context, `${body.thumbnailPrefixes[0]}${context.item}`);
  },
  getSharedFile: async (context) => readLink(context, await context.sharedLink()),
  getSharedAlbum: callWithLink('getSharedAlbum'),
  listSharedMediaItems: callWithLink('listSharedMediaItems'),
} as const satisfies Partial<Record<RouteName, RouteFixture>>;
