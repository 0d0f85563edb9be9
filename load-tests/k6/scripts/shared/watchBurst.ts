import { check, sleep } from 'k6';
import { Gauge } from 'k6/metrics';
import { sendRequest } from './request.ts';
import { getToken, type Library } from './library.ts';
import { countWorkers, canCountWorkers } from './workers.ts';

/** Durations in seconds, from the first uploaded photo unless the field names another start. */
const seconds = {
  /** Until the first photo is READY. */
  firstReady: new Gauge('first_ready_seconds'),
  /** Until every photo of the burst is READY. */
  burstReady: new Gauge('burst_ready_seconds'),
  /** Until the first worker is ready. Only set if the cluster is accessible. */
  scaleUp: new Gauge('scale_up_seconds'),
  /** From the last photo that became READY until the number of workers is back at that before the burst. */
  scaleDown: new Gauge('scale_down_seconds'),
} as const;

/** Maximum number of workers ready at once. */
const maxWorkers = new Gauge('most_workers');

/** Samples for the chart, one of each per poll. */
const course = {
  uploaded: new Gauge('course_uploaded'),
  ready: new Gauge('course_ready'),
  workers: new Gauge('course_workers'),
} as const;

const pollSeconds = 0.5;

/**
 * Seconds that workers may stay after the last photo: the chart's cooldown of five minutes plus the termination grace
 * period.
 */
const scaleDownTimeout = 480;

/** Seconds within which the first photo must arrive, and within which some photo must become READY. */
const timeout = 180;

/** Watches a burst until all its photos are READY and its workers are gone. A check fails on timeout. */
export const watchBurst = (library: Library, burstSeconds: number): void => {
  const begunAt = Date.now();
  const before = canCountWorkers ? countWorkers() : 0;
  let [firstUploadAt, lastReadyAt, readyBefore, max] = [NaN, begunAt, 0, before];
  let [isScaledUp, isOver] = [before > 0, false];
  for (; ; sleep(pollSeconds)) {
    const now = Date.now();
    const [uploaded, ready] = [countItems(library, ''), countItems(library, '&status=READY')];
    const since = (now - firstUploadAt) / 1_000;
    course.uploaded.add(uploaded);
    course.ready.add(ready);
    if (uploaded > 0 && Number.isNaN(firstUploadAt)) firstUploadAt = now;
    if (canCountWorkers) {
      const workers = countWorkers();
      course.workers.add(workers);
      max = Math.max(max, workers);
      if (workers > 0 && !isScaledUp && !Number.isNaN(since)) {
        isScaledUp = true;
        seconds.scaleUp.add(since);
      }
    }
    if (ready > 0 && readyBefore === 0) seconds.firstReady.add(since || 0);
    if (ready > readyBefore) lastReadyAt = now;
    readyBefore = ready;
    isOver = now - begunAt > burstSeconds * 1_000 && uploaded > 0 && uploaded === ready;
    if (isOver) break;
    if (now - lastReadyAt > (burstSeconds + timeout) * 1_000) break;
  }
  if (!check(null, { 'every photo of the burst becomes READY': () => isOver })) return;
  seconds.burstReady.add((lastReadyAt - firstUploadAt) / 1_000);
  if (canCountWorkers) {
    maxWorkers.add(max);
    watchScaleDown(before, lastReadyAt);
  }
};

const watchScaleDown = (before: number, readyAt: number): void => {
  for (; ; sleep(pollSeconds)) {
    const workers = countWorkers();
    course.workers.add(workers);
    const since = (Date.now() - readyAt) / 1_000;
    if (workers > before && since < scaleDownTimeout) continue;
    if (check(workers, { 'workers scale down': (remaining) => remaining <= before })) seconds.scaleDown.add(since);
    return;
  }
};

const countItems = (library: Library, query: string): number => {
  const { headers } = sendRequest('page', `/v1/mediaItems?limit=1${query}`, { token: getToken(library) });
  return Number(headers['X-Total-Count']);
};
