import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { fetchLink, type RouteName } from '../client.ts';
import type { Drive, World } from './driveWorld.ts';

/** Number of wrong ids after which a visitor is locked out. */
const maxGuesses = 20;

/** Reads a file in every way that its link allows, and with a wrong link. */
const readLink = async ({ api }: World, link: string): Promise<void> => {
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

/** Requests a shared album, then unknown ones until the rate limit rejects one. */
const visit =
  (name: RouteName): Drive =>
  async ({ api, share }) => {
    await api.call(name, { params: { id: share } });
    for (let n = 0; n <= maxGuesses; n++) await api.call(name, { params: { id: randomUUID() } });
    await api.deps.db.deleteFrom('login_attempts').execute();
  };

/** Route fixtures of requests without signing in: files behind links, and shared albums. */
export const sharingDrives = {
  getFile: async (world) => {
    const { sourceUrl } = (await world.user.call('getMediaItem', { params: { id: world.item } })).body;
    await readLink(world, sourceUrl);
    const damaged = await world.newItem();
    const { body } = await world.user.call('getMediaItem', { params: { id: damaged } });
    await world.api.deps.objects.put(
      originalKey(world.user.id, damaged),
      Readable.from([Buffer.from('damaged')], { objectMode: false }),
    );
    await fetchLink(world.api.url, body.sourceUrl);
  },
  getThumbnail: async (world) => {
    const { body } = await world.user.call('getTimelineGrid', { params: { section: '2020-04' } });
    await readLink(world, `${body.thumbnailPrefixes[0]}${world.item}`);
  },
  getSharedFile: async (world) => readLink(world, await world.sharedLink()),
  getSharedAlbum: visit('getSharedAlbum'),
  listSharedMediaItems: visit('listSharedMediaItems'),
} as const satisfies Partial<Record<RouteName, Drive>>;
