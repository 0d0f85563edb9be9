import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { emptyQueue } from '@hearth/testkit/servers/emptyQueue.ts';
import { lacksPortraits, listPortraits, placePortrait } from '@hearth/testkit/pictures/portraits.ts';
import { startTestRedis } from '@hearth/testkit/servers/redis.ts';
import { getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { toPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { startRecordedInstallation, type RecordedInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';

/* npm run drill:people: the same with 300 photos. The queue is in Redis if available, else in the database. */
const count = Number(process.argv[2] ?? 45);

/** Number of kills of a worker with an active photo. After all but the last kill the queue is emptied. */
const kills = 3;

/** Test photos with one or two people. The manifest identifies seven of them; the others are about seven more. */
const portraits = listPortraits().filter(
  ({ person, faces }) => person !== undefined || (faces?.[0] === faces?.[1] && (faces?.[0] === 1 || faces?.[0] === 2)),
);
const getPersonOfPhoto = (nth: number): string | undefined => portraits[nth % portraits.length]!.person;

/** Generates pictures with one of the portraits on each. */
const makePhotos = async (): Promise<Photo[]> => {
  const photos: Photo[] = [];
  for (let nth = 0; nth < count; nth += 1)
    photos.push(toPhoto(`people-${nth}.jpg`, await placePortrait(portraits[nth % portraits.length]!, nth)));
  return photos;
};

interface InterruptedHearth extends RecordedInstallation {
  /** Empties the queue. */
  readonly empty: () => Promise<void>;
}

/** Faces of a person, or of no person, by photo and position. */
interface Group {
  readonly isUnassigned: boolean;
  readonly faces: readonly { readonly photo: number; readonly place: string }[];
}

/**
 * Imports all photos while `disturb` interferes. Returns the grouping, and the number of face runs that were
 * interrupted and repeated.
 */
const importPhotos = async (
  t: TestContext,
  photos: readonly Photo[],
  interrupt: (installation: InterruptedHearth) => Promise<void>,
): Promise<{ readonly people: readonly Group[]; readonly repeated: number }> => {
  const redis = missingTool('redis-server') === false ? await startTestRedis() : undefined;
  const directory = await makeFolder('faults');
  let databaseUrl = '';
  const starting = startRecordedInstallation({
    directory,
    apis: 1,
    workers: 2,
    env: async (url) => {
      databaseUrl = url;
      return {
        HEARTH_LEASE_SECONDS: '3',
        HEARTH_WORKER_CONCURRENCY: '1',
        HEARTH_MODEL_DIR: getTestDataFolder('models'),
        HEARTH_FEATURES_OFF: 'things,places',
        ...(redis !== undefined && { HEARTH_REDIS_URL: redis.url }),
      };
    },
  });
  const over = new AbortController();
  t.after(async () => {
    over.abort();
    await (await starting.catch(() => undefined))?.stop();
    await redis?.stop();
    await removeUnlessFailed(t, directory);
  });
  const installation = await starting;
  const { url, admin, query } = installation;
  const client = openClient(url, await createUser(url, admin), over.signal);
  const interrupted = interrupt({ ...installation, empty: () => emptyQueue({ databaseUrl, redisUrl: redis?.url }) });
  for (const photo of photos) await client.upload(photo);
  await interrupted;
  await waitFor(
    'FACES has run for all photos',
    async () => {
      const [left] = await query<{ n: number }>(
        `select count(*)::int as n from media_items left join component_runs on media_item_id = id and component = 'FACES'
         where component_runs.state is distinct from 'DONE'`,
      );
      return left!.n === 0;
    },
    { timeoutMs: 60_000 + 10_000 * count },
  );
  const faces = await query<{ photo: number; place: string; person: string | null }>(
    `select substring(filename from '[0-9]+')::int as photo, round(box_left::numeric, 3) || '/' || round(box_top::numeric, 3) as place,
       person_id as person
     from faces join media_items on media_items.id = media_item_id order by 1, 2`,
  );
  const [claims] = await query<{ repeated: number }>(
    `select count(*)::int as repeated from (
       select from acts where what = 'claim' and subject like '% FACES' group by subject having count(*) > 1) as again`,
  );
  await installation.stop();
  const people = [...Map.groupBy(faces, ({ person }) => person)].map(([person, each]) => ({
    isUnassigned: person === null,
    faces: each.map(({ photo, place }) => ({ photo, place })),
  }));
  return { people, repeated: claims!.repeated };
};

/** Kills the worker that is running FACES, several times during the import, and empties the queue. */
const killWorkers = async ({ acts, workers, empty }: InterruptedHearth): Promise<void> => {
  for (let kill = 1; kill <= kills; kill += 1) {
    const worker = await waitFor(`a worker runs FACES before kill ${kill}`, async () => {
      const faceRuns = (await acts.list()).filter(({ subject }) => subject.endsWith(' FACES'));
      const done = faceRuns.filter(({ what }) => what === 'done');
      if (done.length < (kill * count) / 5) return false;
      const doneRuns = new Set(done.map(({ subject }) => subject));
      const activeRun = faceRuns.findLast(({ what, subject }) => what === 'claim' && !doneRuns.has(subject));
      return workers.find(({ name }) => name === activeRun?.who);
    });
    await worker.kill();
    if (kill < kills) await empty();
    await worker.restart();
  }
};

test(
  'neither splits nor loses a person when workers are killed during face detection and the queue is lost twice',
  { skip: lacksPortraits },
  async (t) => {
    const photos = await makePhotos();
    const uninterrupted = await importPhotos(t, photos, async () => undefined);
    const interrupted = await importPhotos(t, photos, killWorkers);
    t.diagnostic(
      `${uninterrupted.people.filter(({ isUnassigned }) => !isUnassigned).length} people on ${count} photos`,
    );
    t.diagnostic(`${interrupted.repeated} runs of FACES were repeated after a kill`);
    assert.deepEqual(interrupted.people, uninterrupted.people);
    assert.ok(interrupted.repeated > 0);
    const known = Map.groupBy([...photos.keys()], getPersonOfPhoto);
    known.delete(undefined);
    const owners = [...known.values()].map((photosOfPerson) =>
      uninterrupted.people.findIndex(
        ({ isUnassigned, faces }) =>
          !isUnassigned && photosOfPerson.every((nth) => faces.some(({ photo }) => photo === nth)),
      ),
    );
    assert.ok(
      owners.every((owner) => owner >= 0) && new Set(owners).size === owners.length,
      `each person of the manifest is one person: ${owners.join()}`,
    );
  },
);
