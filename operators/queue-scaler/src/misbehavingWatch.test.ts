import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { quickScaler } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { waitFor } from './testing/waitFor.ts';

suite('an API server whose watches misbehave', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { addScaler, converges, follows, madeBetween, ownQueues, startWithScaler } = bench;

  test('which says 410 to every watch at once', async () => {
    await startWithScaler(({ verb }) => (verb.startsWith('WATCH') ? { status: 410 } : undefined));
    await follows();
    addScaler('second');
    await bench.queue.add('job', {});
    await converges(1, 'second');
    const watches = bench.api.requests.filter(({ verb }) => verb.startsWith('WATCH'));
    const seconds = (performance.now() - (watches[0]?.at ?? 0)) / 1_000;
    assert.ok(watches.length <= seconds + 3, `${watches.length} watches in ${seconds} s`);
  });

  test('which says 410 in the middle of a watch', async () => {
    await startWithScaler();
    await follows();
    const lists = madeBetween(0, performance.now(), 'GET queuescalers');
    bench.api.tellWatches(false);
    addScaler('second');
    bench.api.sayToWatches(
      '{"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}}',
    );
    await bench.queue.add('job', {});
    await converges(1, 'second');
    assert.ok(madeBetween(0, performance.now(), 'GET queuescalers') > lists);
  });

  test('which sends what is no JSON, and no object, in the middle of a watch', async () => {
    await startWithScaler();
    await follows();
    for (const line of ['not JSON', '{"type":"MODIFIED","object":null}', '{}']) {
      await waitFor('a watch', () => bench.api.watchCount() === 1);
      bench.api.sayToWatches(line);
      await waitFor('its end', () => bench.api.watchCount() === 0);
    }
    await waitFor('a watch', () => bench.api.watchCount() === 1);
    await follows();
  });

  test('which ends and cuts watches', async () => {
    await startWithScaler();
    for (const how of ['end', 'cut', 'end', 'cut'] as const) {
      await waitFor('a watch', () => bench.api.watchCount() === 1);
      bench.api.endWatches(how);
      await waitFor('its end', () => bench.api.watchCount() === 0);
    }
    await waitFor('a watch', () => bench.api.watchCount() === 1);
    addScaler('second');
    await bench.queue.add('job', {});
    await Promise.all([converges(1), converges(1, 'second')]);
  });

  test('which goes on with a watch, and says nothing in it any more', async () => {
    await startWithScaler(undefined, { HEARTH_WATCH_SILENCE_SECONDS: '2' });
    await follows();
    await waitFor('a watch', () => bench.api.watchCount() === 1);
    bench.api.tellWatches(false);
    const silentSince = performance.now();
    // As of a connection whose other end is gone: no byte, and no end.
    addScaler('second');
    await bench.queue.add('job', {});
    await converges(1, 'second');
    const begun = bench.api.requests.filter(({ verb, at }) => verb.startsWith('WATCH') && at > silentSince);
    assert.ok(begun.length > 0, 'no other watch was begun');
    assert.ok(bench.operator.lines.some(({ err }) => err?.message.includes('was silent for 2000 ms')));
    assert.equal((await bench.operator.get('/livez')).status, 200);
    assert.equal(bench.api.watchCount(), 1, 'watches that are left open');
  });

  test('which takes a watch and never begins to answer', async () => {
    let isSilent = true;
    await startWithScaler(({ verb }) => (isSilent && verb.startsWith('WATCH') ? 'silence' : undefined), {
      HEARTH_WATCH_SILENCE_SECONDS: '2',
    });
    await waitFor('trouble', () => bench.operator.lines.some(({ err }) => err?.message.includes('was silent for')));
    addScaler('second');
    await bench.queue.add('job', {});
    await converges(1, 'second');
    isSilent = false;
    await waitFor('a watch', () => bench.api.watchCount() === 1);
  });

  test('which loses a change of a QueueScaler', async () => {
    await startWithScaler();
    await follows();
    bench.api.tellWatches(false);
    const { spec } = quickScaler({ minReplicas: 2, queues: ownQueues() });
    bench.api.put('queuescalers', 'worker', { spec });
    await converges(2);
  });

  test('which tells of changes in the wrong order', async () => {
    await startWithScaler();
    await follows();
    const old = bench.api.objects.get('queuescalers/worker');
    const { spec } = quickScaler({ minReplicas: 2, queues: ownQueues() });
    bench.api.put('queuescalers', 'worker', { spec });
    bench.api.sayToWatches(JSON.stringify({ type: 'MODIFIED', object: old }));
    bench.api.sayToWatches(JSON.stringify({ type: 'DELETED', object: old }));
    await converges(2);
    bench.api.remove('queuescalers', 'worker');
    bench.api.sayToWatches(JSON.stringify({ type: 'MODIFIED', object: old }));
    await waitFor(
      'its series are gone',
      async () => !(await bench.operator.get('/metrics')).text.includes('scaler="worker",queue='),
    );
    assert.equal(bench.operator.isRunning(), true);
  });
});
