import { createHash } from 'node:crypto';
import type { Query } from '@hearth/testkit/run/actsLog.ts';
import type { Client } from '@hearth/testkit/hearth/client.ts';
import type { Photo } from '@hearth/testkit/hearth/photos.ts';

/** The uploads, and the number of disturbances. */
export interface ExpectedLibrary {
  readonly photos: readonly Photo[];
  /** Ids in the responses to each upload, by checksum. */
  readonly returnedIds: ReadonlyMap<string, ReadonlySet<string>>;
  /** Maximum number of runs that the kills interrupted. Each adds one attempt. */
  readonly interruptions: number;
}

/** Compares a library with the uploads, through the API and by SQL. Returns a message for each difference. */
export const checkLibrary = async (query: Query, client: Client, expected: ExpectedLibrary): Promise<string[]> => [
  ...(await checkResponses(client, expected)),
  ...(await checkRows(query, expected)),
  ...(await checkCounts(query)),
];

/** Returns the number of attempts beyond the first one of each run. */
export const countRepeatedRuns = async (query: Query): Promise<number> => {
  const [row] = await query<{ n: number }>('select sum(attempts - 1)::int as n from component_runs');
  return row?.n ?? 0;
};

const checkResponses = async (client: Client, { photos, returnedIds }: ExpectedLibrary): Promise<string[]> => {
  const problems: string[] = [];
  const { items, totalCount } = await client.list();
  if (totalCount !== photos.length) problems.push(`X-Total-Count is ${totalCount}, expected ${photos.length}`);
  if (items.length !== photos.length) problems.push(`${items.length} items are listed, expected ${photos.length}`);
  const listed = new Map(items.map((item) => [item.id, item]));
  for (const photo of photos) {
    const ids = [...(returnedIds.get(photo.checksum) ?? [])];
    const item = listed.get(ids[0] ?? '');
    if (ids.length !== 1 || item === undefined) {
      problems.push(`the upload of ${photo.filename} returned ${ids.join(' and ')}, which the library does not list`);
      continue;
    }
    const addProblem = (what: string): void => void problems.push(`${photo.filename} (${item.id}): ${what}`);
    if (item.status !== 'READY') addProblem(`is ${item.status}`);
    if (item.filename !== photo.filename) addProblem(`is called ${item.filename}`);
    const { bytes } = await fetchFile(client, item.sourceUrl, 'image/jpeg', addProblem);
    const checksum = createHash('sha256').update(bytes).digest('hex');
    if (checksum !== photo.checksum)
      addProblem(`its original has the checksum ${checksum}, expected ${photo.checksum}`);
    await fetchFile(client, item.previewUrl, 'image/jpeg', addProblem);
    await fetchFile(client, item.thumbnailUrl, 'image/webp', addProblem);
  }
  return problems;
};

const fetchFile = async (
  client: Client,
  link: string | undefined,
  type: string,
  addProblem: (what: string) => void,
): Promise<{ bytes: Uint8Array }> => {
  if (link === undefined) {
    addProblem(`there is no link to its ${type}`);
    return { bytes: new Uint8Array() };
  }
  const response = await client.fetchLink(link);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const found = response.headers.get('content-type');
  if (response.status !== 200 || found !== type || bytes.length === 0) {
    addProblem(`${link} returned ${response.status} with ${bytes.length} bytes of ${found}, expected ${type}`);
  }
  return { bytes };
};

const checkRows = async (query: Query, { photos, interruptions }: ExpectedLibrary): Promise<string[]> => {
  const problems: string[] = [];
  const rows = await query<{ checksum: string }>(`select encode(checksum, 'hex') as checksum from media_items`);
  const found = rows.map(({ checksum }) => checksum).toSorted();
  if (
    found.join() !==
    photos
      .map(({ checksum }) => checksum)
      .toSorted()
      .join()
  ) {
    problems.push(`media_items has ${rows.length} rows, expected one for each of the ${photos.length} photos`);
  }
  const runs = await query<RunCount>(
    'select component, state, attempts, count(*)::int as n from component_runs group by 1, 2, 3 order by 1, 2, 3',
  );
  for (const { component, state, attempts, n } of runs) {
    const expectedState = expectedStates[component] ?? 'DONE';
    // When an API process starts, it releases one blocked run as a probe.
    const isProbeRun = expectedState === 'BLOCKED' && n === 1 && (state === 'PENDING' || state === 'RUNNING');
    if (isProbeRun) continue;
    if (state !== expectedState || attempts < 1 || attempts > 5) {
      problems.push(`${n} runs of ${component} are ${state} after ${attempts} attempts`);
    }
  }
  const repeatedRuns = await countRepeatedRuns(query);
  if (repeatedRuns > interruptions)
    problems.push(`${repeatedRuns} runs were restarted, but at most ${interruptions} were interrupted`);
  return problems;
};

/** Expected final states other than DONE: the photos have no position, and no models are installed. */
const expectedStates: Readonly<Record<string, string>> = {
  PLACES: 'SKIPPED',
  CLASSIFICATION: 'BLOCKED',
  FACES: 'BLOCKED',
  SEARCH: 'BLOCKED',
};

interface RunCount {
  readonly component: string;
  readonly state: string;
  readonly attempts: number;
  readonly n: number;
}

/** Compares the maintained counts of every day and kind with a recount. */
const checkCounts = async (query: Query): Promise<string[]> => {
  const columns = 'user_id, visibility, day, type, category, status, is_favourite';
  const [row] = await query<{ wrong: number }>(
    `select count(*)::int as wrong from (
      select from (
        select ${columns}, day_count as n
        from counts
        cross join lateral (select month + nth::integer - 1 as day, day_count from unnest(days) with ordinality as each_day (day_count, nth)) as stored_days
        where type is not null
        union all
        select ${columns}, n from count_deltas where list_id = user_id
        union all
        select ${columns}, -1 from (select *, local_time::date as day from media_items where visibility <> 'removed') as items
      ) as combined group by ${columns} having sum(n) <> 0
    ) as wrong`,
  );
  return row?.wrong === 0 ? [] : [`${row?.wrong} stored counts differ from a recount`];
};
