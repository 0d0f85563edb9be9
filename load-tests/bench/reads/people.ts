import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '@hearth/core/db/database.ts';
import { rejectFaces } from '@hearth/api/features/people/rejectFaces.ts';
import { clearCachedFaces } from '@hearth/core/people/userFaces.ts';
import { buildMediaItem } from '@hearth/testkit/rows/factories.ts';
import { recognise, makeDetectedFace } from '@hearth/testkit/rows/faces.ts';
import { fillPeople, type FilledPerson } from '@hearth/testkit/libraries/fillPeople.ts';
import { makeFaceGenerator } from '@hearth/testkit/rows/generatedFaces.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { describeMachine, saveFigures, publishTable, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { median, quantile } from '@hearth/testkit/figures/statistics.ts';
import { measureReads } from './measureReads.ts';
import { readCases } from './readCases.ts';
import { missedReads, readsTable } from './readsTable.ts';
import { startReader } from './startReader.ts';

/*
 * npm run bench:people [-- --faces 100000 --people 500 --rounds 200 --publish --json PATH]
 *
 * Measures face clustering in one user's library: adding a face to a person, and removing photos from a person. It also
 * measures reads relative to `GET /version`. The vectors are synthetic. The time per face covers the whole
 * transaction: lock, comparisons and writes. Exits with 1 if a bound is exceeded.
 */
const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: '100000' },
    people: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '200' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const [faces, people, rounds] = [Number(values.faces), Number(values.people), Number(values.rounds)];

/** Limit of the median per face, in ms. */
const maxMs = 20;

/** Reads whose cost may depend on the number of people and faces. */
const cases = readCases.filter(({ name }) =>
  /^(items: first page|timeline by (month|day)|people.*|one person|the largest person.*|search for (person 11|videos of a person))$/.test(
    name,
  ),
);

const generator = makeFaceGenerator(1);
const directory = await makeFolder('bench-people');
const database = await createMigratedDatabase();
const api = await startReader(database.url, join(directory, 'api'), 1);
const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => undefined, isWatched: false });
const userId = api.userIds[0]!;

const toRow = (what: string, ms: number): string => renderRow(what, `${ms.toFixed(0)} ms`, '', '');

/** Returns the duration of a task, in ms. */
const measureMs = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

try {
  const filled = await fillPeople(db, database.url, userId, { made: generator, faces, people });
  const add = async (embedding: Float32Array, isFounding: boolean): Promise<number> => {
    const item = await buildMediaItem(db, userId);
    return measureMs(() => recognise(db, item, [makeDetectedFace(item, embedding, { isFounding })]));
  };
  const first = await add(generator.makeFace(filled[1]!.look, 0.8), true);
  const times = { known: [] as number[], poor: [] as number[], new: [] as number[] };
  for (let n = 0; n < 220; n += 1) {
    const kind = n % 4 === 3 ? 'new' : n % 4 === 2 ? 'poor' : 'known';
    const embedding = kind === 'new' ? generator.person() : generator.makeFace(filled[(7 * n) % people]!.look, 0.8);
    const ms = await add(embedding, kind !== 'poor');
    // The first faces only warm the caches.
    if (n >= 20) times[kind].push(ms);
  }
  const reads = await measureReads(
    (await api.signIn()).map(({ url, token }) => ({ url, token, name: `${faces.toLocaleString('en')} faces` })),
    rounds,
    cases,
  );
  const removeFaces = async (photos: number, { id }: FilledPerson): Promise<number> => {
    const items = await db
      .selectFrom('faces')
      .select('media_item_id')
      .where('person_id', '=', id)
      .orderBy('id')
      .limit(photos)
      .execute();
    return measureMs(() =>
      rejectFaces(
        db,
        userId,
        id,
        items.map((item) => item.media_item_id),
      ),
    );
  };
  const removed = { 100: await removeFaces(100, filled[0]!), 500: await removeFaces(500, filled[0]!) };
  clearCachedFaces(userId);
  const firstRemoved = await removeFaces(1, filled[1]!);

  const labels = {
    known: 'a face of a known person',
    poor: 'a face that creates no person',
    new: 'a face of a new person',
  } as const;
  const medians = Object.entries(labels).map(([kind, label]) => {
    const all = times[kind as keyof typeof labels];
    return { label, ms: median(all), p95Ms: quantile(all, 0.95) };
  });
  const table = [
    `${formatToday()}: ${faces.toLocaleString('en')} faces of ${people} people of one user; ${describeMachine()}.`,
    '',
    renderRow('', 'median', '95 %', 'target'),
    renderRow('---', '---:', '---:', '---:'),
    ...medians.map(({ label, ms, p95Ms }) =>
      renderRow(label, `${ms.toFixed(1)} ms`, `${p95Ms.toFixed(1)} ms`, `≤ ${maxMs} ms`),
    ),
    toRow('the first face after a pause of half a minute', first),
    ...Object.entries(removed).map(([photos, ms]) => toRow(`removing ${photos} photos from a person`, ms)),
    toRow('removing the first photo after a process start', firstRemoved),
  ].join('\n');
  await publishTable('bench:people', table, values);
  console.log(`\n${readsTable(reads, rounds)}`);
  await saveFigures(values.json, {
    faces,
    people,
    first,
    times,
    removed,
    firstRemoved,
    reads,
  });
  const missed = [
    ...medians.flatMap(({ label, ms }) => (ms > maxMs ? [`${label}: ${ms.toFixed(1)} ms, limit: ${maxMs} ms`] : [])),
    ...missedReads(reads),
  ];
  for (const sentence of missed) console.error(`missed: ${sentence}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  await api.stop();
  await db.destroy();
  await database.drop();
  await removeFolder(directory);
}
process.exit();
