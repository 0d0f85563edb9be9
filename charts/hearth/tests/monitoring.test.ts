import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, parseObjects, renderScenario, renderText, scenarioFile, scenarios } from './helm.ts';

const kinds = new Set(['ServiceMonitor', 'PodMonitor', 'PrometheusRule']);

/** Rules of policies that are about metrics. */
const policies = (scenario: string) =>
  renderScenario(scenario)
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .flatMap(({ spec }) => spec!.ingress ?? [])
    .filter(({ ports = [] }) => ports.some(({ port }) => port === 'metrics'));

suite('monitoring', { skip: missingTool('helm') }, () => {
  test('is there only where it is asked for, since a cluster need not know its kinds', () => {
    for (const scenario of scenarios) {
      const found = renderScenario(scenario).filter(({ kind }) => kinds.has(kind));
      if (scenario !== 'monitoring') assert.deepEqual(found, [], scenario);
      else assert.ok(found.length >= 2);
    }
  });

  test('has the labels by which Prometheus finds it', () => {
    for (const { kind, metadata } of renderScenario('monitoring'))
      if (kinds.has(kind)) assert.equal(metadata.labels?.['release'], 'kube-prometheus-stack', metadata.name);
  });

  test('gives every process the labels by which rules and dashboards know it', () => {
    const monitors = renderScenario('monitoring').filter(({ kind }) => /^(?:Service|Pod)Monitor$/.test(kind));
    assert.equal(monitors.length, 2);
    for (const { kind, spec } of monitors) {
      const labels = spec?.targetLabels ?? spec?.podTargetLabels;
      for (const label of ['name', 'component']) assert.ok(labels?.includes(`app.kubernetes.io/${label}`), kind);
    }
  });

  test('has a rule for every alert, and a dashboard for Grafana of every file', () => {
    const names = new Set(renderScenario('monitoring').map(({ metadata }) => metadata.name));
    for (const name of ['api-availability', 'api-down', 'queue-scaler-no-leader', 'dashboard-overview'])
      assert.ok(names.has(`hearth-${name}`), name);
  });

  test('lets nobody but those who were named read the metrics', () => {
    assert.deepEqual(policies('default'), []);
    assert.equal(policies('monitoring').length, 3);
    for (const { from } of policies('monitoring'))
      assert.deepEqual(from, [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }]);
  });

  test('takes every file of rules and dashboards as it is, and its braces stay', async (t) => {
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
