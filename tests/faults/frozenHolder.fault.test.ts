import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Act, ActName, Query } from '@hearth/testkit/run/actsLog.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { startTcpProxy } from '@hearth/testkit/proxies/tcpProxy.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { s3Variables } from '@hearth/testkit/hearth/backEnds.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { startTestInstallation } from '@hearth/testkit/hearth/testInstallation.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

/**
 * Lease names of two of the housekeeper's lanes. Lanes run concurrently, each with its own tasks. Only the holder of a
 * lane's lease may run the tasks of that lane.
 */
const leases = { short: 'housekeeping', long: 'housekeeping, long' } as const;
const getLease = ({ what, subject }: Act): string | undefined => {
  if (what === 'roll up') return leases.short;
  if (what === 'mark' || what === 'remove') return leases.long;
  if (what !== 'finish task') return undefined;
  return shortLaneTasks.has(subject) ? leases.short : leases.long;
};
const shortLaneTasks: ReadonlySet<string> = new Set(['forget people', 'end sessions', 'probe blocked']);

/**
 * Records every attempt to take a lease, including failed ones. A process without the lease tries once per round of each
 * lane.
 */
const recordLeaseRequests = async (query: Query) => {
  await query(`
    create table lease_requests (id bigint generated always as identity, who text default current_setting('application_name'));
    grant all on lease_requests to public;
    create function record_lease_request() returns trigger language plpgsql as $$ begin
      insert into lease_requests default values;
      return null;
    end $$;
    create trigger record_lease_request before insert on leases for each statement execute function record_lease_request()`);
  const count = async (who: string) => (await query('select from lease_requests where who = $1', [who])).length;
  /** Resolves when a process has tried at least six more times to take a lease, which takes several rounds. */
  const waitForRounds = async (who: string): Promise<void> => {
    const before = await count(who);
    await waitFor(`${who} has requested leases`, async () => (await count(who)) >= before + 6);
  };
  return waitForRounds;
};

/** Returns the acts of processes that were not the latest holder of the required lease. */
const findActsOfOthers = (acts: readonly Act[]): Act[] => {
  const leaders = new Map<string, string>();
  return acts.filter((act) => {
    if (act.what === 'lead') leaders.set(act.subject, act.who);
    const lease = getLease(act);
    return act.who !== '' && lease !== undefined && act.who !== leaders.get(lease);
  });
};

/** Returns the holders of the long lane's lease in order. */
const listLeaders = (acts: readonly Act[]): string[] =>
  acts.filter(({ what, subject }) => what === 'lead' && subject === leases.long).map(({ who }) => who);

test('only the lease holder does exclusive work, even after it was frozen and thawed', async (t) => {
  const { acts, apis, client, query } = await startTestInstallation(t);
  const waitForRounds = await recordLeaseRequests(query);
  const replica = (name: string) => apis.find((each) => each.name === name)!;
  const findHolder = async (): Promise<string> => listLeaders(await acts.list()).at(-1) ?? '';
  const isGone = async (id: string): Promise<boolean> =>
    (await query('select from media_items where id = $1', [id])).length === 0;
  const ids: string[] = [];
  for (const photo of await makePhotos(21, 3)) ids.push(await client.upload(photo));
  const [expired, marked, last] = ids as [string, string, string];
  const mark = (id: string) =>
    query('update media_items set deleted_at = now(), removing_at = now() where id = $1', [id]);
  await waitFor('a process holds the lease', async () => (await findHolder()) !== '');

  // Frozen between two tasks. Deleting the rows makes the daily tasks due for the next holder.
  const first = await findHolder();
  await replica(first).freeze();
  await query(`update media_items set deleted_at = now() - interval '40 days' where id = $1`, [expired]);
  await query('delete from housekeeping_tasks');
  await waitFor('the other process has taken over and emptied the trash', () => isGone(expired));
  const second = await findHolder();
  assert.notEqual(second, first);
  await replica(first).thaw();

  // Frozen during a transaction under the lease.
  await acts.hold('remove');
  await mark(marked);
  assert.equal(await acts.held(), second);
  await replica(second).freeze();
  await acts.release();
  await waitFor('the first process has taken over again', async () => (await findHolder()) === first);
  await waitFor('the item is removed', () => isGone(marked));
  await replica(second).thaw();

  // Work that every process would do if it believed it held the lease.
  await mark(last);
  await waitFor('the last item is removed', () => isGone(last));
  await waitForRounds(second);

  const all = await acts.list();
  assert.deepEqual(findActsOfOthers(all), []);
  assert.deepEqual(listLeaders(all), [first, second, first]);
  const listSubjects = (name: ActName) => all.filter(({ what }) => what === name).map(({ subject }) => subject);
  assert.deepEqual(listSubjects('remove'), ids);
  const finished = all
    .filter(({ what, who }) => what === 'finish task' && who === second)
    .map(({ subject }) => subject);
  assert.equal(new Set(finished).size, finished.length, 'daily tasks ran once');
});

test(
  'a holder frozen during a task does not finish it after it thaws, with a slow object store',
  { skip: missingTool('versitygw') },
  async (t) => {
    const s3 = await startTestS3();
    const proxy = await startTcpProxy();
    t.after(async () => {
      await proxy.cut();
      await s3.stop();
    });
    const { acts, apis, client, query } = await startTestInstallation(t, {
      ...s3Variables(s3),
      HEARTH_S3_ENDPOINT: new URL(proxy.setTarget(s3.endpoint)).origin,
    });
    const replica = (name: string) => apis.find((each) => each.name === name)!;
    const findHolder = async (): Promise<string> => listLeaders(await acts.list()).at(-1) ?? '';
    const hasFinished = async (task: string, who: string): Promise<boolean> =>
      (await acts.list()).some((act) => act.what === 'finish task' && act.subject === task && act.who === who);
    const waitForRounds = await recordLeaseRequests(query);
    for (const photo of await makePhotos(22, 1)) await client.upload(photo);
    await waitUntilReady(query);
    await waitFor('a process holds the lease', async () => (await findHolder()) !== '');

    // The next holder runs all tasks again: it finishes 'empty trash', then blocks on the object store in the next one.
    const first = await findHolder();
    await replica(first).freeze();
    await query('delete from housekeeping_tasks');
    // New connections to the store now block.
    await proxy.cut();
    await proxy.open();
    proxy.freeze();
    await waitFor('another process has taken over', async () => (await findHolder()) !== first);
    const second = await findHolder();
    await waitFor('it has emptied the trash', () => hasFinished('empty trash', second));
    await waitFor('it is blocked on the store', async () => proxy.count() > 0);
    await replica(second).freeze();
    await replica(first).thaw();
    await waitFor('the first process has taken over again', async () => (await findHolder()) === first);
    proxy.thaw();
    await waitFor('it has removed the orphans', () => hasFinished('remove orphans', first));
    await replica(second).thaw();
    await waitForRounds(second);
    assert.deepEqual(findActsOfOthers(await acts.list()), []);
    assert.equal(await hasFinished('remove orphans', second), false);
  },
);
