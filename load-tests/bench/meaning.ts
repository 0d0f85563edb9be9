import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareVectors } from '@hearth/core/db/embeddings/prepareVectors.ts';
import { openPgvectorDatabase } from '@hearth/core/testing/embeddings/pgvectorDatabase.ts';
import { createMigratedDatabase } from '@hearth/core/testing/migratedDatabase.ts';
import { queryOnce } from '@hearth/core/testing/postgres.ts';
import { until } from '@hearth/core/testing/until.ts';
import { makeFolder, removeFolder } from '../harness/folder.ts';
import { describeMachine, keepFigures, publishTable, row, today } from '../harness/publish.ts';
import { askOnce } from './askOnce.ts';
import { askedWords, benchModel, fillMeaning } from './fillMeaning.ts';
import { measureReads, type ReadResult } from './measureReads.ts';
import { each, type Question } from './readQuestions.ts';
import { startReader, type ReaderApi } from './startReader.ts';

/*
 * npm run bench:meaning [-- --libraries stock:100000,pgvector:1000000 --rounds 200 --publish --json PATH]: what a search costs where every photo has an
 * embedding, over HTTP, beside `GET /version`, on a PostgreSQL with pgvector and on one without it. The vectors are made up, the queries are
 * embedded by the stand-in. To fill a million and to make their index takes half an hour. Ends with 1 where a bound is missed.
 */
const { values } = parseArgs({
  options: {
    libraries: { type: 'string', default: 'stock:100000,pgvector:100000,pgvector:1000000' },
    rounds: { type: 'string', default: '200' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
// oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: it names the data of the tests
const testData = process.env['HEARTH_TEST_DATA'] || join(import.meta.dirname, '../../../shared');

/** Milliseconds that 95 of 100 searches may take. */
const allowedMs = (hasVectors: boolean, items: number): number => {
  if (!hasVectors) return 250;
  return items > 100_000 ? 150 : 100;
};

const libraries = values.libraries.split(',').map((each) => {
  const [kind = '', count = ''] = each.split(':');
  const hasVectors = kind === 'pgvector';
  return { name: `${Number(count).toLocaleString('en')}, ${kind}`, hasVectors, items: Number(count) };
});

const asking = (name: string, texts: readonly string[]): Question => ({
  name,
  bound: Infinity,
  paths: async () => texts.map((text) => `/v1/search?q=${encodeURIComponent(text)}`),
});

/** Of those before the last two each text is embedded when it is asked first, and known then: people repeat themselves. */
const questions: readonly Question[] = [
  asking('one thing', askedWords),
  asking(
    'two things and a year',
    askedWords.map((word, n) => `${word} ${askedWords[(n + 7) % askedWords.length]} ${2010 + (n % 10)}`),
  ),
  {
    ...asking(
      'words that nobody has asked before',
      Array.from({ length: 20 + rounds }, (_, n) =>
        [n, Math.floor(n / 20), 7 * n + 3].map((nth) => askedWords[nth % askedWords.length]).join(' '),
      ),
    ),
    isFresh: true,
  },
  { name: 'more like one', ...each('/v1/mediaItems', (id) => `/v1/mediaItems/${id}/similar`, Infinity) },
];

/** A library of which every photo has its embedding, behind an API. */
const open = async (directory: string, { hasVectors, items }: (typeof libraries)[number]) => {
  const database = hasVectors ? await openPgvectorDatabase() : await createMigratedDatabase();
  const api = await startReader(database.url, directory, 1, {
    HEARTH_MODEL_DIR: join(testData, 'models'),
    HEARTH_SEARCH_MODEL: benchModel,
  });
  if (!hasVectors) await fillMeaning(database.url, api.userIds[0]!, items);
  else await fillVectors(database.url, api.userIds[0]!, items);
  return { api, database };
};

/** As a library comes to a server with pgvector: the embeddings are there, and the vectors and their index are made of them. */
const fillVectors = async (url: string, userId: string, items: number): Promise<void> => {
  await until('the API has made the index', async () => {
    const rows = await queryOnce(
      url,
      `select from pg_index where indexrelid = to_regclass('embedding_vectors_nearest') and indisvalid`,
    );
    return rows.length > 0;
  });
  await queryOnce(url, 'drop index embedding_vectors_nearest');
  await queryOnce(url, 'alter table media_item_embeddings disable trigger media_item_embeddings_vector');
  await fillMeaning(url, userId, items);
  await queryOnce(url, 'alter table media_item_embeddings enable trigger media_item_embeddings_vector');
  // What an administrator would do before such a move; otherwise the index of a million does not fit into memory while it is made.
  const { pathname } = new URL(url);
  await queryOnce(url, `alter database "${pathname.slice(1)}" set maintenance_work_mem = '3GB'`);
  const begunAt = performance.now();
  await prepareVectors(url);
  console.log(`made vectors and index in ${((performance.now() - begunAt) / 60_000).toFixed(1)} minutes`);
  await queryOnce(url, 'vacuum analyze embedding_vectors');
};

const table = (results: readonly ReadResult[]): string =>
  [
    `${today()}: ${rounds} searches by one client; \`GET /version\` beside them took ${results[0]!.versionMs.toFixed(2)} ms; ${describeMachine()}.`,
    '',
    row('', 'wanted at 95 %', ...questions.flatMap(({ name }) => [`${name}: median`, '95 %'])),
    row('---', '---:', ...questions.flatMap(() => ['---:', '---:'])),
    ...libraries.map(({ name, hasVectors, items }) =>
      row(
        name,
        `≤ ${allowedMs(hasVectors, items)} ms`,
        ...questions.flatMap((question) => {
          const found = results.find((one) => one.library === name && one.question === question.name)!;
          return [`${found.ms.toFixed(1)} ms`, `${found.p95Ms.toFixed(1)} ms`];
        }),
      ),
    ),
  ].join('\n');

const directory = await makeFolder('bench-meaning');
const opened: { readonly api: ReaderApi; readonly database: { drop(): Promise<void> } }[] = [];
let results: readonly ReadResult[] = [];
try {
  for (const [index, library] of libraries.entries()) {
    opened.push(await open(join(directory, String(index)), library));
    console.log(`filled ${library.name}`);
  }
  const readers = [];
  for (const [index, { api }] of opened.entries()) {
    const [reader] = await api.signIn();
    await until('queries are embedded', async () => {
      const { headers } = await askOnce(new URL(`/v1/search?q=${askedWords[0]}`, reader!.url), reader!.token);
      return headers['x-search-mode'] === 'meaning';
    });
    readers.push({ ...reader!, name: libraries[index]!.name });
  }
  results = await measureReads(readers, rounds, questions);
  await keepFigures(values.json, { rounds, results });
} finally {
  for (const { api, database } of opened) {
    await api.stop();
    await database.drop();
  }
  await removeFolder(directory);
}
await publishTable('bench:meaning', table(results), values);
const missed = results.filter(({ library, p95Ms }) => {
  const { hasVectors, items } = libraries.find(({ name }) => name === library)!;
  return p95Ms > allowedMs(hasVectors, items);
});
for (const { library, question, p95Ms } of missed)
  console.error(`missed: ${question}, ${library}: ${p95Ms.toFixed(0)} ms`);
process.exit(missed.length > 0 ? 1 : 0);
