import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decide } from './decide/decide.ts';
import { createMetrics } from './metrics.ts';
import { makeHistory, now, makeObservation, makeSpec } from './testing/specs.ts';

const prefix = 'hearth_queue_scaler_';

suite('metrics', () => {
  test('have the documented names and labels', async () => {
    const metrics = createMetrics();
    metrics.setLeading(true);
    metrics.recordReconcile(0.2, 'success');
    metrics.recordRequest('PATCH', 409);
    const observation = makeObservation({
      currentReplicas: 1,
      queue: { version: 'bullmq:6.7.0', waiting: 51, active: 4 },
    });
    const decision = decide(makeSpec(), observation, makeHistory(), now);
    metrics.record('media', observation, decision, decision.replicas - 1);
    const { text } = await metrics.expose();
    const lines = text.split('\n').filter((line) => line.startsWith(prefix) && !/_(bucket|sum)\b/.test(line));
    assert.deepEqual(lines.map((line) => line.slice(prefix.length)).toSorted(), [
      'leader 1',
      'queue_jobs{scaler="media",queue="media",state="active"} 4',
      'queue_jobs{scaler="media",queue="media",state="delayed"} 0',
      'queue_jobs{scaler="media",queue="media",state="dueDelayed"} 0',
      'queue_jobs{scaler="media",queue="media",state="prioritized"} 0',
      'queue_jobs{scaler="media",queue="media",state="waiting"} 51',
      'queue_jobs{scaler="media",queue="media",state="waitingChildren"} 0',
      'queue_oldest_wait_seconds{scaler="media",queue="media"} 0',
      'queue_paused{scaler="media",queue="media"} 0',
      'queues_found{scaler="media"} 1',
      'reconcile_duration_seconds_count{result="error"} 0',
      'reconcile_duration_seconds_count{result="success"} 1',
      'replicas{scaler="media",type="busy"} 0',
      'replicas{scaler="media",type="current"} 1',
      'replicas{scaler="media",type="desired"} 5',
      'replicas{scaler="media",type="recommended"} 10',
      'rest_client_requests_total{method="PATCH",code="409"} 1',
      'scalings_total{scaler="media",direction="up"} 1',
      'target_found{scaler="media"} 1',
    ]);
  });

  test('contain only `target_found` for a QueueScaler without a target', async () => {
    const metrics = createMetrics();
    const observation = makeObservation();
    metrics.record('media', observation, decide(makeSpec(), observation, makeHistory(), now), 0);
    metrics.recordMissingTarget('media');
    const { text } = await metrics.expose();
    const lines = text.split('\n').filter((line) => line.includes('scaler="media"'));
    assert.deepEqual(lines, [`${prefix}target_found{scaler="media"} 0`]);
  });

  test('drop a deleted QueueScaler', async () => {
    const metrics = createMetrics();
    const observation = makeObservation();
    metrics.record('media', observation, decide(makeSpec(), observation, makeHistory(), now), 0);
    metrics.forget('media');
    assert.doesNotMatch((await metrics.expose()).text, /scaler="media"/);
  });
});
