import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import {
  listLabelsOfSeries,
  findMetricOfSeries,
  listMetrics,
  type ExportedMetric,
} from '@hearth/scripts/monitoring/exportedMetrics.ts';
import { listExpressions } from '@hearth/scripts/monitoring/expressions.ts';
import { parsePromql } from '@hearth/scripts/monitoring/promql.ts';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { startMonitoredHearth, type Target } from './monitoredHearth.ts';
import { generateLoad } from './generateLoad.ts';

/** Label values that appear only on errors, which do not occur here. */
const errorLabelValues = new Set(['5..', '507']);

/** A metric that has series only while the process waits for the system, such as for a file. */
const transientMetric = 'nodejs_active_requests';

/** A series in the text format, without its value. */
interface Series {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

const readSeries = (text: string): Series[] =>
  [...text.matchAll(/^([a-z_:][\w:]*)(?:\{(.*)\})? \S+$/gim)].map(([, name = '', labels = '']) => ({
    name,
    labels: new Map(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', value = '']) => [label, value]),
    ),
  }));

const scrape = async ({ address }: Target): Promise<Series[]> => {
  const response = await fetch(`http://${address}/metrics`);
  assert.equal(response.status, 200);
  return readSeries(await response.text());
};

test(
  'every process exports its declared metrics, and every metric, label and value that rules and dashboards use',
  { skip: missingTool('redis-server') },
  async (t) => {
    const directory = await makeFolder('monitoring');
    const hearth = await startMonitoredHearth(directory, t.signal);
    t.after(async () => {
      await hearth.stop();
      await removeUnlessFailed(t, directory);
    });
    await generateLoad(hearth.client, 12);

    const allSeries: Series[] = [];
    for (const target of hearth.targets) {
      const declared = new Map(listMetrics(target.exporter).map((metric) => [metric.name, metric]));
      const series = await waitFor(
        `the ${target.exporter} exports all`,
        async () => {
          const found = await scrape(target);
          return listMissing(declared, found).length === 0 ? found : undefined;
        },
        { timeoutMs: 60_000, everyMs: 500 },
      ).catch(async () => {
        assert.deepEqual(listMissing(declared, await scrape(target)), [], `${target.exporter} exports none of these`);
      });
      for (const { name, labels } of series ?? []) {
        const metric = findMetricOfSeries(name, declared);
        assert.ok(metric !== undefined, `${target.exporter} exports the undeclared metric ${name}`);
        const allowed = metric.type === 'summary' ? [...metric.labels, 'quantile'] : listLabelsOfSeries(name, metric);
        assert.deepEqual(
          [...labels.keys()].filter((label) => !allowed.includes(label)),
          [],
          name,
        );
        for (const [label, value] of labels)
          assert.doesNotMatch(value, /[0-9a-f]{8}-[0-9a-f]{4}/, `an id in ${label} of ${name}`);
      }
      allSeries.push(...(series ?? []));
    }

    const exported = new Map(
      allSeries.map((series) => [series.name, allSeries.filter(({ name }) => name === series.name)]),
    );
    let reads = 0;
    for (const { user, panel = '', expr } of listExpressions())
      for (const { metric, matchers } of parsePromql(expr).metrics) {
        if (!/^(?:hearth|process|nodejs)_/.test(metric)) continue;
        const series = exported.get(metric) ?? [];
        const where = `${user} ${panel}: ${metric}`;
        assert.ok(series.length > 0, `${where}: no process exports it`);
        for (const { label, values } of matchers) {
          if (!series.some(({ labels }) => labels.has(label))) continue;
          reads += 1;
          const isExported = (value: string): boolean =>
            errorLabelValues.has(value) || series.some(({ labels }) => labels.get(label) === value);
          assert.deepEqual(
            values.filter((value) => !isExported(value)),
            [],
            `${where}: unknown value of ${label}`,
          );
        }
      }
    assert.ok(reads > 20);
  },
);

/** Returns the metrics without any series. */
const listMissing = (declared: ReadonlyMap<string, ExportedMetric>, series: readonly Series[]): string[] => {
  const exportedNames = new Set(series.map(({ name }) => findMetricOfSeries(name, declared)?.name));
  return [...declared.keys()].filter((name) => name !== transientMetric && !exportedNames.has(name));
};
