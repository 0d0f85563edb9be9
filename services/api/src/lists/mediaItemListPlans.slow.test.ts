import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { buildUser } from '@hearth/testkit/rows/factories.ts';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { queryOnce } from '@hearth/testkit/database/postgres.ts';
import { captureStatements, type Statement } from '@hearth/testkit/database/statements.ts';
import { rollUpCounts, type MediaItemFilter } from './counts.ts';
import { listMediaItems, type Page } from './mediaItemLists.ts';

const { db, url, drop } = await createMigratedDatabase();
after(drop);
const { id: userId } = await buildUser(db);

let version: number;

before(async () => {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  );
  version = rows[0]!.version;
  await sql`
    insert into media_items (id, user_id, checksum, filename, mime_type, size_bytes, taken_at, local_time, type, category, status, is_hidden, is_favourite)
    select id, ${userId}, sha256(id::text::bytea), 'IMG.jpg', 'image/jpeg', 1, now(), timestamp '2022-04-03' - n * interval '1 hour',
      case when n % 500 = 0 then 'VIDEO' else 'PHOTO' end, case when n % 500 = 1 then 'PANORAMA' else 'DEFAULT' end,
      case when n % 500 = 2 then 'FAILED' else 'READY' end, n % 100 = 3, n % 200 = 4
    from (select gen_random_uuid() as id, n from generate_series(1, 50000) as n) as items`.execute(db);
  while ((await rollUpCounts(db, 10_000)) > 0);
  await sql`vacuum analyze`.execute(db);
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Captures the statement and parameters that read a page of media items. */
const captureListQuery = async (filter: MediaItemFilter, start: Page['start']): Promise<Statement> => {
  const sent = await captureStatements(async () => {
    await listMediaItems(db, userId, filter, { limit: 15, start });
  });
  const query = sent.findLast(({ text }) => text.includes('media_items'));
  assert(query !== undefined, 'no statement reads media items');
  return query;
};

/** Returns the plan nodes below the LIMIT of the page, which find its items. */
const explain = async (prefix: string, { text, values }: Statement): Promise<PlanNode[]> => {
  const [row] = await queryOnce<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(url, `${prefix} ${text}`, values);
  const limit = listNodes(row!['QUERY PLAN'][0].Plan).find((node) => node['Node Type'] === 'Limit');
  assert(limit !== undefined, 'the plan has no limit');
  return listNodes(limit).slice(1);
};

/** Lists a node and all nodes below it, except those that only return values hidden from the planner. */
const listNodes = (node: PlanNode): PlanNode[] => [
  node,
  ...(node.Plans ?? []).filter((each) => !isValue(each)).flatMap(listNodes),
];

const isValue = (node: PlanNode): boolean =>
  node['Parent Relationship'] === 'InitPlan' && node['Node Type'] === 'Result' && node.Plans === undefined;

const somewhere = { localTime: '2018-01-01T00:00:00', id: '8f14e45f-ceea-467f-a9b5-3c1e2b7d9a10' };
const starts: readonly Page['start'][] = [{ number: 1 }, { number: 3_000 }, { after: somewhere }];

const cases: readonly { readonly filter: MediaItemFilter; readonly index: string }[] = [
  { filter: { visibility: 'visible' }, index: 'media_items_visible' },
  { filter: { visibility: 'visible', type: 'PHOTO' }, index: 'media_items_visible' },
  { filter: { visibility: 'visible', status: 'READY' }, index: 'media_items_visible' },
  { filter: { visibility: 'hidden' }, index: 'media_items_hidden' },
  { filter: { visibility: 'visible', status: 'FAILED' }, index: 'media_items_unready' },
  { filter: { visibility: 'visible', status: 'PROCESSING' }, index: 'media_items_unready' },
  { filter: { visibility: 'visible', type: 'VIDEO' }, index: 'media_items_not_photos' },
  { filter: { visibility: 'visible', category: 'PANORAMA' }, index: 'media_items_special' },
  { filter: { visibility: 'visible', category: 'LIVE' }, index: 'media_items_special' },
  { filter: { visibility: 'visible', isFavourite: true }, index: 'media_items_favourites' },
];

for (const { filter, index } of cases) {
  test(`reads any page by ${JSON.stringify(filter)} from ${index} alone, without a sort`, async () => {
    for (const start of starts) {
      const query = await captureListQuery(filter, start);
      const planned = await explain('explain (format json)', query);
      const plans = [planned];
      // The generic plan of prepared statements and functions. PostgreSQL 16 and later can explain it.
      if (version >= 160_000)
        plans.push(await explain('explain (format json, generic_plan)', { ...query, values: [] }));
      for (const nodes of plans) {
        assert.deepEqual(
          nodes.map((node) => [node['Node Type'].replace(' Only', ''), node['Index Name']]),
          [['Index Scan', index]],
          JSON.stringify(start),
        );
      }
    }
  });
}
