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

/** What a run asked for in one look: pages of the library, which the first look has none of and those at the end, then the Deployments. */
interface Look {
  /** When the first page was asked for and when the Deployments were, in milliseconds since 1970. */
  readonly pageAt: number;
  readonly askedAt: number;
  /** How many photos the pages told of. */
  readonly uploaded: number;
  readonly ready: number;
}

/** Looks with photos before the first worker is ready, and those at the end, when all photos are, which see two workers and then one. */
const looksWith = { photosAlone: 1, twoWorkers: 4, oneWorker: 2 } as const;

/** How many workers are ready at the last of these looks: none, two, one, and none again. */
const workersAt = (looks: readonly Look[]): number => {
  const withPhotos = looks.filter(({ uploaded }) => uploaded > 0);
  const atEnd = looks
    .slice(looks.findIndex(({ uploaded }) => uploaded > 0))
    .filter(({ pageAt }) => Number.isNaN(pageAt));
  if (withPhotos.length <= looksWith.photosAlone || atEnd.length > looksWith.twoWorkers + looksWith.oneWorker) return 0;
  return atEnd.length > looksWith.twoWorkers ? 1 : 2;
};

/** What leads a run to Hearth and to the API server of a cluster, and notes each of its looks. */
interface Watched {
  readonly hearthUrl: string;
  readonly clusterUrl: string;
  readonly looks: readonly Look[];
  /** Paths that the API server was asked for. */
  readonly asked: string[];
}

/** Starts a proxy before Hearth and what answers as the API server of a cluster does when it is asked for the Deployments of a namespace. */
const startWatched = async (t: TestContext, url: string): Promise<Watched> => {
  const looks: Look[] = [];
  const asked: string[] = [];
  const none = { pageAt: NaN, uploaded: 0, ready: 0 };
  let pages = none;
  const proxy = await startHttpProxy(url, {
    onAnswer: (path, { headers }, askedAt) => {
      if (!path.startsWith('/v1/mediaItems?limit=1')) return;
      const count = Number(headers['x-total-count']);
      pages = path.endsWith('status=READY')
        ? { ...pages, ready: count }
        : { ...pages, uploaded: count, pageAt: askedAt };
    },
  });
  t.after(() => proxy.close());
  const cluster = createServer((request, response) => {
    asked.push(request.url ?? '');
    looks.push({ ...pages, askedAt: Date.now() });
    pages = none;
    const readyReplicas = workersAt(looks);
    // As Kubernetes has it, which leaves out a number that is 0.
    const items = [{ status: readyReplicas === 0 ? {} : { readyReplicas } }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ kind: 'DeploymentList', items }));
  }).listen(0, '127.0.0.1');
  await once(cluster, 'listening');
  t.after(() => cluster.close());
  const clusterUrl = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`;
  return { hearthUrl: proxy.url, clusterUrl, looks, asked };
};

test(
  'a spike says when the first worker was ready, how many there were, and when they were gone',
  { skip: missingTool('k6') },
  async (t) => {
    const { run, url } = await startLoadHearth(t);
    const { hearthUrl, clusterUrl, looks, asked } = await startWatched(t, url);
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
    const valueOf = (name: string): number => metrics[name]?.values.value ?? NaN;
    /** A look begins after the Deployments were asked for the time before, and before its first page is. */
    const beginOf = (index: number): Span => [looks[index - 1]!.askedAt, looks[index]!.pageAt];
    const expectSeconds = (name: string, [from, to]: Span, [earliest, latest]: Span): void => {
      const ms = valueOf(name) * 1_000;
      // Both ends are whole milliseconds.
      assert.ok(
        ms >= earliest - to - 2 && ms <= latest - from + 2,
        `${name}: ${ms} ms\n${JSON.stringify(looks)}\n${output}`,
      );
    };
    const arrived = looks.findIndex(({ uploaded }) => uploaded > 0);
    const lastReady = looks.findLastIndex(({ ready }, index) => ready > (looks[index - 1]?.ready ?? 0));
    expectSeconds('scale_up_seconds', beginOf(arrived), beginOf(arrived + looksWith.photosAlone));
    assert.equal(valueOf('most_workers'), 2);
    expectSeconds('burst_ready_seconds', beginOf(arrived), beginOf(lastReady));
    assert.equal(looks[lastReady]!.ready, looks[lastReady]!.uploaded);
    expectSeconds('scale_down_seconds', beginOf(lastReady), [looks.at(-1)!.askedAt, overAt]);
    assert.match(
      asked[0] ?? '',
      /^\/apis\/apps\/v1\/namespaces\/photos\/deployments\?labelSelector=app\.kubernetes\.io%2Fcomponent%3Dworker$/,
    );
  },
);

/** When something was at the earliest and at the latest, in milliseconds since 1970. */
type Span = readonly [earliest: number, latest: number];
