import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { FuzzFailure } from './fuzzFailure.ts';
import { startFuzzedInstallation, type FuzzedInstallation } from './installation.ts';
import { createFuzzUser, type FuzzUser } from './fuzzUser.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { runCase } from './runCase.ts';
import { ItemFault, settle } from './settle.ts';
import type { Fixtures } from './fixtures.ts';

/** Which cases to run. */
export interface FuzzOptions {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly onProgress?: (done: number) => void;
}

/** What came of a run without a fault. */
export interface FuzzReport {
  /** How often each status was answered; 0 stands for a connection that was closed without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many accepted items ended how. */
  readonly items: ReadonlyMap<string, number>;
}

/** Cases run at the same time. */
const concurrency = 4;

/** After so many cases the victim, whom they may have deleted or signed out, is replaced by another. */
const casesPerVictim = 50;

/**
 * Sends mutated uploads and requests to a real API and a real worker, and looks at every answer and at what becomes of
 * every accepted item; in the end an untouched photo must become READY.
 * @throws FuzzFailure
 */
export const runFuzz = async (options: FuzzOptions): Promise<FuzzReport> => {
  const installation = await startFuzzedInstallation();
  try {
    const uploader = await createFuzzUser(installation.url, installation.admin);
    const { statuses, accepted } = await runCases(options, installation, uploader);
    try {
      const items = await settle(installation, uploader, [...accepted.keys()]);
      const last = await uploader.upload(await makeTestPhoto({ seed: 99, takenAt: '2022:04:03 12:56:11' }));
      const [[ending] = []] = [...(await settle(installation, uploader, [last]))];
      if (ending !== 'READY') throw new ItemFault(last, `an untouched photo ended ${ending}`);
      return { statuses, items };
    } catch (error) {
      if (!(error instanceof ItemFault)) throw error;
      const what = [error.message, ...(await installation.lastLines())].join('\n');
      throw new FuzzFailure(options.seed, accepted.get(error.id ?? ''), what);
    }
  } finally {
    await installation.stop();
  }
};

const runCases = async (
  { seed, first, count, onProgress }: FuzzOptions,
  installation: FuzzedInstallation,
  uploader: FuzzUser,
) => {
  const photos = await makePhotos();
  const fixturesOfBlocks = new Map<number, Promise<Fixtures>>();
  const statuses = new Map<number, number>();
  /** The case that made each item. */
  const accepted = new Map<string, number>();
  let next = first;
  const runLane = async (): Promise<void> => {
    for (let number = next++; number < first + count; number = next++) {
      const block = Math.floor(number / casesPerVictim);
      const fixtures = fixturesOfBlocks.get(block) ?? makeFixtures(installation, uploader, photos);
      fixturesOfBlocks.set(block, fixtures);
      const outcome = await runCase(installation, await fixtures, createRandom(seed, number)).catch(
        async (error: Error) => {
          next = Infinity;
          throw new FuzzFailure(seed, number, [error.message, ...(await installation.lastLines())].join('\n'));
        },
      );
      for (const status of outcome.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (outcome.acceptedId !== undefined) accepted.set(outcome.acceptedId, number);
      onProgress?.(number - first + 1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runLane));
  return { statuses, accepted };
};

/** Small, so that the worker is done with many in a short time, with and without metadata. */
const makePhotos = async (): Promise<Buffer[]> => {
  const size = { width: 96, height: 64 };
  return Promise.all([
    makeTestPhoto({ ...size, seed: 1, takenAt: '2022:04:03 12:56:11' }),
    makeTestPhoto({ ...size, seed: 2 }),
    makeTestPhoto({ ...size, seed: 3, format: 'png' }),
    makeTestPhoto({ ...size, seed: 4, format: 'webp', takenAt: '2022:04:03 12:56:11' }),
  ]);
};

const makeFixtures = async (
  { url, admin, query }: FuzzedInstallation,
  uploader: FuzzUser,
  photos: readonly Buffer[],
): Promise<Fixtures> => {
  // Else wrong credentials, all from one address, would soon be the only thing that is tried on the routes that take some.
  await query('delete from login_attempts');
  const victim = await createFuzzUser(url, admin);
  const mediaItemIds = await Promise.all(photos.slice(0, 2).map((photo) => victim.upload(photo)));
  const { id: albumId, shareId } = await victim.createAlbum({ name: 'Summer', shared: true });
  const jobIds = [await victim.create('/v1/jobs', { components: ['METADATA'] })];
  const items = await Promise.all(mediaItemIds.map((id) => victim.getItem(id)));
  const uploadIds = await Promise.all([100, 100_000].map((length) => victim.beginUpload(length)));
  const links = items.map(({ sourceUrl }) => sourceUrl);
  return {
    uploader,
    admin,
    photos,
    victim: { ...victim, mediaItemIds, albumIds: [albumId], shareIds: [shareId], jobIds, uploadIds, links },
  };
};
