import type { z } from 'zod';
import type { routes } from '@hearth/contract/routes.ts';
import type { Random } from '@hearth/testkit/run/seededRandom.ts';
import type { Fixtures } from './fixtures.ts';

type Routes = typeof routes;

/** An operation whose request has a JSON body. */
export type JsonOperation = {
  [Name in keyof Routes]: Routes[Name] extends { readonly body: z.ZodType } ? Name : never;
}[keyof Routes];

type MakeBody = (random: Random, victim: Fixtures['victim']) => Readonly<Record<string, unknown>>;

const someMediaItems: MakeBody = (random, { mediaItemIds }) => ({ mediaItems: [random.pick(mediaItemIds)] });
const somePeople: MakeBody = () => ({ people: ['0192d7a4-0000-4000-8000-000000000001'] });
const noCover: MakeBody = () => ({ coverMediaItemId: null });

/** A valid body for every operation with a JSON body: the cases mutate it. A missing operation does not compile. */
export const validBodies: Readonly<Record<JsonOperation, MakeBody>> = {
  checkMediaItems: () => ({ checksums: ['0'.repeat(64)] }),
  updateMediaItem: () => ({ description: 'Am Meer', favourite: true, hidden: false }),
  addToFavourites: someMediaItems,
  removeFromFavourites: someMediaItems,
  addToHidden: someMediaItems,
  removeFromHidden: someMediaItems,
  createAlbum: (random, { mediaItemIds }) => ({
    name: 'Summer',
    description: 'Am Meer',
    coverMediaItemId: random.pick(mediaItemIds),
    shared: random.chance(0.5),
    hidden: false,
  }),
  updateAlbum: () => ({ name: 'Winter', description: null, shared: true }),
  addToAlbum: someMediaItems,
  removeFromAlbum: someMediaItems,
  updatePlace: noCover,
  updateThing: noCover,
  updatePerson: () => ({ name: 'Ada', coverMediaItemId: null }),
  removeFromPerson: someMediaItems,
  returnToPerson: someMediaItems,
  mergePeople: somePeople,
  separatePeople: somePeople,
  dismissDuplicates: () => ({ revision: '1' }),
  resolveDuplicates: (random, { mediaItemIds }) => ({ keep: [random.pick(mediaItemIds)] }),
  addToTrash: someMediaItems,
  restoreFromTrash: someMediaItems,
  retryProcessing: () => ({ component: 'METADATA', reason: 'CORRUPT' }),
  createJob: (random) => ({ components: [random.pick(['METADATA', 'PREVIEW_THUMBNAIL', 'PLACES'])] }),
  updateJob: (random) => ({ status: random.pick(['PAUSED', 'RUNNING', 'STOPPED']) }),
  login: (_random, { username, password }) => ({ username, password }),
  logInOnce: () => ({ code: 'a'.repeat(43) }),
  refresh: () => ({ refreshToken: 'a'.repeat(43) }),
  changePassword: (_random, { password }) => ({ currentPassword: password, newPassword: 'another password' }),
  createUser: (random) => ({
    name: 'Ada',
    username: `user ${random.below(1_000)}`,
    password: 'a password',
    features: { trash: false },
  }),
  updateUser: (_random, { password }) => ({ name: 'Ada', password, features: '{"trash":true}' }),
};
