import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, parseObjects, renderScenario, renderText, scenarioFile, scenarios } from './helm.ts';

const kinds = new Set(['ServiceMonitor', 'PodMonitor', 'PrometheusRule']);

/** Returns the network policy rules for metrics. */
const listMetricsRules = (scenario: string) =>
  renderScenario(scenario)
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => spec!.ingress ?? [])
    .filter(({ ports = [] }) => ports.some(({ port }) => port === 'metrics'));

suite('monitoring', { skip: missingTool('helm') }, () => {
  test('is rendered only if enabled, because a cluster may lack its CRDs', () => {
    for (const scenario of scenarios) {
      const found = renderScenario(scenario).filter(({ kind }) => kinds.has(kind));
      if (scenario !== 'monitoring') assert.deepEqual(found, [], scenario);
      else assert.ok(found.length >= 2);
    }
  });

  test('has the labels that Prometheus selects by', () => {
    for (const { kind, metadata } of renderScenario('monitoring'))
      if (kinds.has(kind)) assert.equal(metadata.labels?.['release'], 'kube-prometheus-stack', metadata.name);
  });

  test('gives every process the labels that rules and dashboards use', () => {
    const monitors = renderScenario('monitoring').filter(({ kind }) => /^(?:Service|Pod)Monitor$/.test(kind));
    assert.equal(monitors.length, 2);
    for (const { kind, spec } of monitors) {
      const labels = spec?.targetLabels ?? spec?.podTargetLabels;
      for (const label of ['name', 'component']) assert.ok(labels?.includes(`app.kubernetes.io/${label}`), kind);
    }
  });

  test('renders an object for each rule file and each dashboard file', () => {
    const names = new Set(renderScenario('monitoring').map(({ metadata }) => metadata.name));
    for (const name of ['api-availability', 'api-down', 'queue-scaler-no-leader', 'dashboard-overview'])
      assert.ok(names.has(`hearth-${name}`), name);
  });

  test('lets only the named namespaces read the metrics', () => {
    assert.deepEqual(listMetricsRules('default'), []);
    assert.equal(listMetricsRules('monitoring').length, 3);
    for (const { from } of listMetricsRules('monitoring'))
      assert.deepEqual(from, [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }]);
  });

  test('includes every rule and dashboard file unchanged, with its braces', async (t) => {
    const copy = await mkdtemp(join(tmpdir(), 'hearth-chart-'));
    t.after(() => rm(copy, { recursive: true }));
    await cp(chart, copy, { recursive: true });
    for (const folder of ['rules/alerts', 'dashboards']) await mkdir(join(copy, 'files', folder), { recursive: true });
    const rules =
      'groups:\n  - name: hearth\n    rules:\n      - alert: Odd\n        expr: up == 0\n        labels: { job: "{{ $labels.job }}" }\n';
    const dashboard = JSON.stringify({ title: 'Odd', legend: '{{pod}}' });
    await writeFile(join(copy, 'files/rules/alerts/oddThing.yaml'), rules);
    await writeFile(join(copy, 'files/dashboards/oddThing.json'), dashboard);
    const objects = parseObjects(renderText(scenarioFile('monitoring'), [], copy));
    const rule = objects.find(({ metadata }) => metadata.name === 'hearth-odd-thing');
    assert.equal(rule?.kind, 'PrometheusRule');
    assert.match(JSON.stringify(rule.spec?.groups), /\{\{ \$labels\.job \}\}/);
    const map = objects.find(({ metadata }) => metadata.name === 'hearth-dashboard-odd-thing');
    assert.equal(map?.metadata.labels?.['grafana_dashboard'], '1');
    assert.deepEqual(JSON.parse(map.data!['oddThing.json']!), JSON.parse(dashboard));
    const count = (pattern: string): number => globSync(pattern, { cwd: join(copy, 'files') }).length;
    assert.equal(objects.filter(({ kind }) => kind === 'PrometheusRule').length, count('rules/**/*.yaml'));
  });
});
