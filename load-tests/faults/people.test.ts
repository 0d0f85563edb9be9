import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { join } from 'node:path';
import { emptyQueue } from '@hearth/core/testing/emptyQueue.ts';
import { lacksPortraits, listPortraits, placePortrait } from '@hearth/core/testing/portraits.ts';
import { databaseUrlOf, queryEmbedded } from '../harness/embeddedDatabase.ts';
import { asPhoto, type Photo } from '../harness/photos.ts';
import { needsLinux } from '../harness/processTree.ts';
import { startTestHearth } from '../harness/testHearth.ts';
import { until } from '../harness/wait.ts';

/** Photos that are taken in; the 300 by `node … people.test.ts 300`. */
const count = Number(process.argv[2] ?? 45);

const data = process.env['HEARTH_TEST_DATA'] || join(import.meta.dirname, '../../../shared');

/** Generated pictures with somebody on each, or two: those on the photos of the test media, 15 people in all. */
const makePhotos = async (): Promise<Photo[]> => {
  const portraits = listPortraits().filter(
    ({ person, faces }) => person !== undefined || (faces?.[0] === 2 && faces[1] === 2),
  );
  const photos: Photo[] = [];
  for (let nth = 0; nth < count; nth += 1)
    photos.push(asPhoto(`people-${nth}.jpg`, await placePortrait(portraits[nth % portraits.length]!, nth)));
  return photos;
};

/** Takes all photos in, beside which `disturb` may do what it likes; answers whose the faces are, by photo and place. */
const takeIn = async (
  t: TestContext,
  photos: readonly Photo[],
  disturb: (hearth: Awaited<ReturnType<typeof startTestHearth>>) => Promise<void>,
): Promise<readonly string[]> => {
  const hearth = await startTestHearth(t, {
    HEARTH_LEASE_SECONDS: '2',
    HEARTH_MODEL_DIR: join(data, 'models'),
    HEARTH_FEATURES_OFF: 'things',
  });
  const query = queryEmbedded(hearth.directory);
  const disturbed = disturb(hearth);
  for (const photo of photos) await hearth.client.upload(photo);
  await disturbed;
  await until('all photos have been looked at', async () => {
    const [left] = await query<{ n: number }>(
      `select count(*)::int as n from media_items left join component_runs on media_item_id = id and component = 'FACES'
         where component_runs.state is distinct from 'DONE'`,
    );
    return left!.n === 0;
  });
  const faces = await query<{ photo: string; place: string; person: string | null }>(
    `select filename as photo, round(box_left::numeric, 3) || '/' || round(box_top::numeric, 3) as place, person_id as person
     from faces join media_items on media_items.id = media_item_id order by 1, 2`,
  );
  const people = Map.groupBy(faces, ({ person }) => person ?? 'nobody');
  return [...people]
    .map(([person, each]) =>
      [person === 'nobody' ? 'nobody' : 'somebody', ...each.map(({ photo, place }) => `${photo} ${place}`)].join(', '),
    )
    .toSorted();
};

test(
  'a worker that is killed while it looks at faces, and a queue that is lost twice, make nobody two and lose nobody',
  { ...needsLinux, ...(lacksPortraits !== false && { skip: lacksPortraits }) },
  async (t) => {
    const photos = await makePhotos();
    const undisturbed = await takeIn(t, photos, async () => undefined);
    const disturbed = await takeIn(t, photos, async ({ directory, processes, worker }) => {
      const query = queryEmbedded(directory);
      for (let kill = 1; kill <= 3; kill += 1) {
        await until(`faces are looked for, ${kill}`, async () => {
          const [seen] = await query<{ done: number; running: number }>(
            `select count(*) filter (where state = 'DONE')::int as done, count(*) filter (where state = 'RUNNING')::int as running
             from component_runs where component = 'FACES'`,
          );
          return seen!.running > 0 && seen!.done >= (kill * count) / 5;
        });
        const killed = worker()!;
        processes.signal(killed, 'SIGKILL');
        if (kill < 3) await emptyQueue({ databaseUrl: await databaseUrlOf(directory) });
        await until('another worker', async () => worker() !== undefined && worker()?.pid !== killed.pid);
      }
    });
    assert.deepEqual(disturbed, undisturbed);
    assert.ok(undisturbed.filter((people) => people.startsWith('somebody')).length >= 10, undisturbed.join('\n'));
  },
);
