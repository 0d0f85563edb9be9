import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { dashboards } from './dashboards/dashboards.ts';
import { exporters, labelsOfSeries, metricOfSeries, metricsOf } from './exportedMetrics.ts';
import { listExpressions, listRecords } from './expressions.ts';
import { dashboardFile, listGenerated } from './generated.ts';
import { adminGuide } from './pages.ts';
import { parsePromql } from './promql.ts';
import { chartFiles, readRuleFiles } from './rules.ts';

const alertTests = join(chartFiles, '../tests/alerts');

/** Labels that the target of a series brings: those of Prometheus, and those that the chart's monitors add. */
const targetLabels = new Set(['namespace', 'pod', 'app_kubernetes_io_name', 'app_kubernetes_io_component']);

/** Series that Prometheus itself makes, and their labels. */
const ownOfPrometheus: Readonly<Record<string, readonly string[]>> = { up: [], ALERTS: ['alertname', 'alertstate'] };

const metrics = new Map(exporters.flatMap(metricsOf).map((metric) => [metric.name, metric]));
const records = listRecords();

suite('rules and dashboards', () => {
  test('dashboards and pages are what the code says (else: npm run docs:monitoring)', () => {
    for (const [path, text] of listGenerated()) assert.equal(readFileSync(path, 'utf8'), text, path);
    assert.equal(globSync('dashboards/*', { cwd: chartFiles }).length, dashboards.length);
  });

  test('every expression is valid, and reads metrics and labels that some process declares', () => {
    const expressions = listExpressions();
    assert.ok(expressions.length > 0);
    for (const { user, panel = '', expr } of expressions) {
      const where = `${user} ${panel}: ${expr}`;
      const reads = parsePromql(expr);
      const known = new Set(targetLabels);
      for (const { metric, matchers } of reads.metrics) {
        const declared = metricOfSeries(metric, metrics);
        const labels = declared === undefined ? ownOfPrometheus[metric] : labelsOfSeries(metric, declared);
        assert.ok(labels !== undefined || records.has(metric), `${where}: there is no ${metric}`);
        for (const label of labels ?? []) known.add(label);
        for (const { label } of matchers)
          assert.ok(targetLabels.has(label) || labels?.includes(label), `${where}: ${metric} has no label ${label}`);
      }
      for (const label of reads.labels) assert.ok(known.has(label), `${where}: nothing in it has the label ${label}`);
    }
  });

  test('a bucket that a rule or panel names is one of the histogram', () => {
    let named = 0;
    for (const { user, expr } of listExpressions())
      for (const { metric, matchers } of parsePromql(expr).metrics)
        for (const { label, values } of matchers)
          if (label === 'le') {
            named += 1;
            const bounds = metricOfSeries(metric, metrics)?.bounds.map(String);
            assert.ok(values.length === 1 && bounds?.includes(values[0]!), `${user}: le="${values.join()}"`);
          }
    assert.ok(named > 0);
  });

  test('an alert is one file, with one page and one test, which fires and is silent', () => {
    const files = readRuleFiles('alerts');
    assert.ok(files.length > 0);
    const names = files.map(({ name }) => name);
    assert.deepEqual(namesIn(alertTests), names);
    assert.deepEqual(namesIn(join(adminGuide, 'alerts')), names);
    for (const { name, rules } of files) {
      const [rule] = rules;
      assert.equal(rules.length, 1, name);
      assert.equal(rule?.alert, `Hearth${name[0]!.toUpperCase()}${name.slice(1)}`);
      assert.match(rule.labels?.['severity'] ?? '', /^(?:critical|warning)$/);
      assert.match(rule.for ?? '', /^\d+[mh]$/);
      const { summary, description, runbook_url: runbook = '' } = rule.annotations ?? {};
      assert.ok(summary && description);
      const [, page = ''] = /\/blob\/main\/(docs\/.+)$/.exec(runbook) ?? [];
      assert.ok(existsSync(join(chartFiles, '../../..', page)) && page.endsWith(`/${name}.md`), runbook);
      const checks = readFileSync(join(alertTests, `${name}.yaml`), 'utf8');
      assert.match(checks, /exp_alerts:\n/, name);
      assert.match(checks, /exp_alerts: \[\]/, name);
    }
  });

  test('dashboards name no data source, job or namespace, and no two panels overlap', () => {
    for (const { name } of dashboards) {
      const text = readFileSync(dashboardFile(name), 'utf8');
      assert.doesNotMatch(text, /job=|"uid": "(?!\$\{datasource\}|hearth-)/);
      const { panels } = JSON.parse(text) as { panels: Placed[] };
      const taken = new Set<string>();
      for (const { title, gridPos } of panels)
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            assert.ok(x < 24 && !taken.has(`${x} ${y}`), `${name}: ${title} at ${x} ${y}`);
            taken.add(`${x} ${y}`);
          }
      for (const expr of panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)))
        if (!expr.startsWith('vector(')) assert.match(expr, /namespace=~"\$namespace"/);
    }
  });
});

/** The names of the files of a folder, without their endings. */
const namesIn = (folder: string): string[] =>
  globSync('*', { cwd: folder })
    .map((file) => basename(file).replace(/\.\w+$/, ''))
    .toSorted();

interface Placed {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}
