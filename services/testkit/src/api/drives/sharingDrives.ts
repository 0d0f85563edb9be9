import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { fetchLink, type RouteName } from '../client.ts';
import type { Drive, World } from './driveWorld.ts';

/** After how many wrong ids a visitor is refused. */
const maxGuesses = 20;

/** Reads a file in every way that a link allows, and by a link that is wrong. */
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

/** Asks for a shared album, and for so many that are not there that one is refused. */
const visit =
  (name: RouteName): Drive =>
  async ({ api, share }) => {
    await api.call(name, { params: { id: share } });
    for (let n = 0; n <= maxGuesses; n++) await api.call(name, { params: { id: randomUUID() } });
    await api.deps.db.deleteFrom('login_attempts').execute();
  };

/** What is read without signing in: the bytes behind links, and what visitors see. */
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
