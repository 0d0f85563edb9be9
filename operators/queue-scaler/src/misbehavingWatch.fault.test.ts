import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makeFastScaler } from './testing/fakeApi.ts';
import { useOperatorBench } from './testing/operatorBench.ts';
import { waitFor } from './testing/waitFor.ts';

suite('operator with a watch', { skip: missingTool('redis-server') }, () => {
  const bench = useOperatorBench();
  const { addScaler, waitForReplicas, checkScaleUpAndDown, countRequests, makeQueueSpecs, startWithScaler } = bench;

  test('that always gets 410', async () => {
    await startWithScaler(({ verb }) => (verb.startsWith('WATCH') ? { status: 410 } : undefined));
    await checkScaleUpAndDown();
    addScaler('second');
    await bench.queue.add('job', {});
    await waitForReplicas(1, 'second');
    const watches = bench.api.requests.filter(({ verb }) => verb.startsWith('WATCH'));
    const seconds = (performance.now() - (watches[0]?.at ?? 0)) / 1_000;
    assert.ok(watches.length <= seconds + 3, `${watches.length} watches in ${seconds} s`);
  });

  test('that is ended with 410', async () => {
    await startWithScaler();
    await checkScaleUpAndDown();
    const lists = countRequests(0, performance.now(), 'GET queuescalers');
    bench.api.notifyWatches(false);
    addScaler('second');
    bench.api.writeToWatches(
      '{"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}}',
    );
    await bench.queue.add('job', {});
    await waitForReplicas(1, 'second');
    assert.ok(countRequests(0, performance.now(), 'GET queuescalers') > lists);
  });

  test('with a line that is not JSON or not an object', async () => {
    await startWithScaler();
    await checkScaleUpAndDown();
    for (const line of ['not JSON', '{"type":"MODIFIED","object":null}', '{}']) {
      await waitFor('a watch', () => bench.api.watchCount() === 1);
      bench.api.writeToWatches(line);
      await waitFor('its end', () => bench.api.watchCount() === 0);
    }
    await waitFor('a watch', () => bench.api.watchCount() === 1);
    await checkScaleUpAndDown();
  });

  test('that ends or is cut', async () => {
    await startWithScaler();
    for (const how of ['end', 'cut', 'end', 'cut'] as const) {
      await waitFor('a watch', () => bench.api.watchCount() === 1);
      bench.api.endWatches(how);
      await waitFor('its end', () => bench.api.watchCount() === 0);
    }
    await waitFor('a watch', () => bench.api.watchCount() === 1);
    addScaler('second');
    await bench.queue.add('job', {});
    await Promise.all([waitForReplicas(1), waitForReplicas(1, 'second')]);
  });

  test('that stays open without any data', async () => {
    await startWithScaler(undefined, { HEARTH_WATCH_SILENCE_SECONDS: '2' });
    await checkScaleUpAndDown();
    await waitFor('a watch', () => bench.api.watchCount() === 1);
    bench.api.notifyWatches(false);
    const silentSince = performance.now();
    addScaler('second');
    await bench.queue.add('job', {});
    await waitForReplicas(1, 'second');
    const restartedWatches = bench.api.requests.filter(({ verb, at }) => verb.startsWith('WATCH') && at > silentSince);
    assert.ok(restartedWatches.length > 0, 'no other watch was started');
    assert.ok(bench.operator.lines.some(({ err }) => err?.message.includes('sent no data for 2000 ms')));
    assert.equal((await bench.operator.get('/livez')).status, 200);
    assert.equal(bench.api.watchCount(), 1, 'open watches');
  });

  test('that never gets a response', async () => {
    let isSilent = true;
    await startWithScaler(({ verb }) => (isSilent && verb.startsWith('WATCH') ? 'silence' : undefined), {
      HEARTH_WATCH_SILENCE_SECONDS: '2',
    });
    await waitFor('the timeout', () =>
      bench.operator.lines.some(({ err }) => err?.message.includes('sent no data for')),
    );
    addScaler('second');
    await bench.queue.add('job', {});
    await waitForReplicas(1, 'second');
    isSilent = false;
    await waitFor('a watch', () => bench.api.watchCount() === 1);
  });

  test('that loses a change of a QueueScaler', async () => {
    await startWithScaler();
    await checkScaleUpAndDown();
    bench.api.notifyWatches(false);
    const { spec } = makeFastScaler({ minReplicas: 2, queues: makeQueueSpecs() });
    bench.api.put('queuescalers', 'worker', { spec });
    await waitForReplicas(2);
  });

  test('that delivers changes in the wrong order', async () => {
    await startWithScaler();
    await checkScaleUpAndDown();
    const old = bench.api.objects.get('queuescalers/worker');
    const { spec } = makeFastScaler({ minReplicas: 2, queues: makeQueueSpecs() });
    bench.api.put('queuescalers', 'worker', { spec });
    bench.api.writeToWatches(JSON.stringify({ type: 'MODIFIED', object: old }));
    bench.api.writeToWatches(JSON.stringify({ type: 'DELETED', object: old }));
    await waitForReplicas(2);
    bench.api.remove('queuescalers', 'worker');
    bench.api.writeToWatches(JSON.stringify({ type: 'MODIFIED', object: old }));
    await waitFor(
      'its series are gone',
      async () => !(await bench.operator.get('/metrics')).text.includes('scaler="worker",queue='),
    );
    assert.equal(bench.operator.isRunning(), true);
  });
});
