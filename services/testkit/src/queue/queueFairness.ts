import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobToEnqueue, Priority } from '@hearth/core/queue/queue.ts';
import { ids, makeJobs, type QueueTestBench } from './queueTestBench.ts';
import { waitUntil } from '../run/waitUntil.ts';

const makeJobsOfOwner = (ownerId: string, count: number): JobToEnqueue[] =>
  makeJobs(count).map(({ mediaItemId }) => ({ mediaItemId, ownerId }));

/** Makes a generator of pseudo-random integers below `limit` (mulberry32). */
const openRandom = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};

/** Part of `testQueue` for jobs of several owners. */
export const testQueueFairness = (bench: QueueTestBench): void => {
  for (const priority of ['upload', 'library'] as const satisfies Priority[]) {
    test(`a job of one owner comes before the third of a hundred jobs of another owner (${priority})`, async (t) => {
      const [many, few] = [makeJobsOfOwner('many', 100), makeJobsOfOwner('few', 2)];
      await bench.queues.enqueue('media', many, priority);
      await bench.queues.enqueue('media', [few[0]!], priority);
      await bench.queues.enqueue('media', [few[1]!], priority, { mayBeQueued: true });
      assert.equal(await bench.queues.depth('media'), 102);
      const { handled } = bench.consume(t);
      await waitUntil('the jobs are delivered', () => handled.length === 102);
      assert.deepEqual(handled.slice(0, 2), ids([many[0]!, few[0]!]));
      assert.ok(handled.indexOf(few[1]!.mediaItemId) < 4);
      assert.deepEqual(
        handled.filter((id) => !ids(few).includes(id)),
        ids(many),
      );
    });
  }

  for (const seed of [1, 2, 3, 4, 5]) {
    test(`alternates between owners, and keeps the order of each owner (${seed})`, async (t) => {
      const random = openRandom(seed);
      const owners = Array.from({ length: 2 + random(5) }, (_, index) =>
        makeJobsOfOwner(`owner ${index}`, 1 + random(40)),
      );
      await bench.queues.pause('media');
      t.after(() => bench.queues.resume('media'));
      const remaining = owners.map((jobs) => [...jobs]);
      while (remaining.some((jobs) => jobs.length > 0)) {
        const jobs = remaining[random(remaining.length)]!;
        if (jobs.length > 0) await bench.queues.enqueue('media', jobs.splice(0, 1 + random(3)), 'upload');
      }
      await bench.queues.resume('media');
      const { handled } = bench.consume(t);
      await waitUntil('the jobs are delivered', () => handled.length === owners.flat().length);
      for (const jobs of owners) {
        const places = ids(jobs).map((id) => handled.indexOf(id));
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        );
        // Before an owner's n-th job, no other owner may have had more than n jobs.
        for (const [n, place] of places.entries()) {
          const limit = owners.reduce((sum, other) => sum + Math.min(other.length, n + 1), 0);
          assert.ok(place < limit, `job ${n + 1} was delivered as number ${place + 1}, expected at most ${limit}`);
        }
      }
    });
  }

  test('serves an owner who always enqueues another job as often as the others', async (t) => {
    const many = makeJobsOfOwner('many', 40);
    await bench.queues.enqueue('media', many, 'upload');
    const busy: string[] = [];
    const busyIds = new Set<string>();
    const enqueueNext = async (): Promise<void> => {
      const [job] = makeJobsOfOwner('busy', 1);
      busyIds.add(job!.mediaItemId);
      await bench.queues.enqueue('media', [job!], 'upload');
    };
    await enqueueNext();
    const { handled } = bench.consume(t, {
      handle: async ({ mediaItemId }) => {
        if (!busyIds.has(mediaItemId)) return;
        busy.push(mediaItemId);
        if (busy.length < 100) await enqueueNext();
      },
    });
    await waitUntil('the jobs are delivered', () => handled.length === 140);
    const lastOfBusyUser = Math.max(...ids(many).map((id) => handled.indexOf(id)));
    const before = handled.slice(0, lastOfBusyUser).filter((id) => busyIds.has(id)).length;
    assert.ok(
      before >= 35 && before <= 85,
      `${before} jobs of the busy owner were delivered among 40 of the other owner`,
    );
  });

  test('keeps the order when jobs are enqueued again', async (t) => {
    const [many, few] = [makeJobsOfOwner('many', 10), makeJobsOfOwner('few', 5)];
    await bench.queues.enqueue('media', many.slice(0, 9), 'upload');
    for (let sweeps = 0; sweeps < 20; sweeps += 1) {
      await bench.queues.enqueue('media', many.slice(0, 9), 'upload', { mayBeQueued: true });
    }
    await bench.queues.enqueue('media', many.slice(9), 'upload');
    await bench.queues.enqueue('media', few, 'upload');
    const { handled } = bench.consume(t);
    await waitUntil('the jobs are delivered', () => handled.length === 15);
    assert.ok(handled.indexOf(many[9]!.mediaItemId) === 14 && handled.indexOf(few[4]!.mediaItemId) < 10);
  });
};
