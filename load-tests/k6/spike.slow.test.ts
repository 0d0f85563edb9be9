import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startHttpProxy } from '@hearth/testkit/hearth/httpProxy.ts';
import { startLoadHearth } from './loadHearth.ts';
import { runK6 } from './runK6.ts';

/** One poll of the script: it counts photos, then lists Deployments. The first poll and those during scale-down count none. */
interface Poll {
  /** Time of the first request for photos, in ms since 1970; NaN if there was none. */
  readonly pageAt: number;
  /** Time of the request for Deployments, in ms since 1970. */
  readonly requestedAt: number;
  /** Numbers of photos. */
  readonly uploaded: number;
  readonly ready: number;
}

/** Number of polls in each state of the fake cluster. */
const pollTimes = {
  /** Photos, but no ready worker yet. */
  photosAlone: 1,
  /** During scale-down. */
  twoWorkers: 4,
  oneWorker: 2,
} as const;

/** Returns the number of ready workers in the last of these polls: 0, 2, 1, then 0 again. */
const countWorkersAt = (polls: readonly Poll[]): number => {
  const withPhotos = polls.filter(({ uploaded }) => uploaded > 0);
  const atEnd = polls
    .slice(polls.findIndex(({ uploaded }) => uploaded > 0))
    .filter(({ pageAt }) => Number.isNaN(pageAt));
  if (withPhotos.length <= pollTimes.photosAlone || atEnd.length > pollTimes.twoWorkers + pollTimes.oneWorker) return 0;
  return atEnd.length > pollTimes.twoWorkers ? 1 : 2;
};

/** Addresses of the Hearth proxy and of the fake Kubernetes API server, with a record of each poll. */
interface WatchedHearth {
  readonly hearthUrl: string;
  readonly clusterUrl: string;
  readonly polls: readonly Poll[];
  /** Paths requested from the API server. */
  readonly requestedPaths: string[];
}

/** Starts a proxy in front of Hearth, and a fake Kubernetes API server that lists the Deployments of a namespace. */
const startWatched = async (t: TestContext, url: string): Promise<WatchedHearth> => {
  const polls: Poll[] = [];
  const requestedPaths: string[] = [];
  const none = { pageAt: NaN, uploaded: 0, ready: 0 };
  let pages = none;
  const proxy = await startHttpProxy(url, {
    onResponse: (path, { headers }, requestedAt) => {
      if (!path.startsWith('/v1/mediaItems?limit=1')) return;
      const count = Number(headers['x-total-count']);
      pages = path.endsWith('status=READY')
        ? { ...pages, ready: count }
        : { ...pages, uploaded: count, pageAt: requestedAt };
    },
  });
  t.after(() => proxy.close());
  const cluster = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    polls.push({ ...pages, requestedAt: Date.now() });
    pages = none;
    const readyReplicas = countWorkersAt(polls);
    // Kubernetes omits the field when it is 0.
    const items = [{ status: readyReplicas === 0 ? {} : { readyReplicas } }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ kind: 'DeploymentList', items }));
  }).listen(0, '127.0.0.1');
  await once(cluster, 'listening');
  t.after(() => cluster.close());
  const clusterUrl = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`;
  return { hearthUrl: proxy.url, clusterUrl, polls, requestedPaths };
};

test(
  'spike reports the time of the first ready worker, the maximum number of workers, and the time of scale-down',
  { skip: missingTool('k6') },
  async (t) => {
    const { run, url } = await startLoadHearth(t);
    const { hearthUrl, clusterUrl, polls, requestedPaths } = await startWatched(t, url);
    const kubernetes = { url: clusterUrl, namespace: 'photos' };
    const load = {
      ...run,
      url: hearthUrl,
      kubernetes,
      load: 'spike',
      seconds: '2',
      rate: '3',
      slowness: '10',
    } as const;
    const { code, output } = await runK6(load, () => undefined);
    const overAt = Date.now();
    assert.equal(code, 0, output);
    const { metrics } = JSON.parse(await readFile(join(run.reportFolder, 'spike.json'), 'utf8')) as {
      readonly metrics: Readonly<Record<string, { readonly values: { readonly value: number } }>>;
    };
    const getValue = (name: string): number => metrics[name]?.values.value ?? NaN;
    /** A poll begins after the previous Deployments request and before its own first page request. */
    const getPollStart = (index: number): Span => [polls[index - 1]!.requestedAt, polls[index]!.pageAt];
    const expectSeconds = (name: string, [from, to]: Span, [earliest, latest]: Span): void => {
      const ms = getValue(name) * 1_000;
      // Both ends are rounded to whole milliseconds.
      assert.ok(
        ms >= earliest - to - 2 && ms <= latest - from + 2,
        `${name}: ${ms} ms\n${JSON.stringify(polls)}\n${output}`,
      );
    };
    const arrived = polls.findIndex(({ uploaded }) => uploaded > 0);
    const lastReady = polls.findLastIndex(({ ready }, index) => ready > (polls[index - 1]?.ready ?? 0));
    expectSeconds('scale_up_seconds', getPollStart(arrived), getPollStart(arrived + pollTimes.photosAlone));
    assert.equal(getValue('most_workers'), 2);
    expectSeconds('burst_ready_seconds', getPollStart(arrived), getPollStart(lastReady));
    assert.equal(polls[lastReady]!.ready, polls[lastReady]!.uploaded);
    expectSeconds('scale_down_seconds', getPollStart(lastReady), [polls.at(-1)!.requestedAt, overAt]);
    assert.match(
      requestedPaths[0] ?? '',
      /^\/apis\/apps\/v1\/namespaces\/photos\/deployments\?labelSelector=app\.kubernetes\.io%2Fcomponent%3Dworker$/,
    );
  },
);

/** Bounds of a point in time, in ms since 1970. */
type Span = readonly [earliest: number, latest: number];
