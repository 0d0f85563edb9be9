import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import {
  checkedKinds,
  checkedVersions,
  customKinds,
  schemaName,
  schemasFolder,
} from '../../../scripts/chart/checkedKinds.ts';
import { schemaOfCustomResource } from '../../../scripts/chart/kubernetesSchema.ts';
import { chart, renderScenario, renderText, scenarioFile, scenarios } from './helm.ts';

/** The schema of QueueScaler, made of the definition in the chart. */
const own = mkdtempSync(join(tmpdir(), 'hearth-schema-'));
const definition = parse(readFileSync(join(chart, 'crds/queueScalers.yaml'), 'utf8'));
const [{ schema }] = definition.spec.versions;
writeFileSync(
  join(own, schemaName('scaling.hearth.photos/v1alpha1', 'QueueScaler')),
  JSON.stringify(schemaOfCustomResource(schema.openAPIV3Schema)),
);

const file = '{{.ResourceKind}}{{.KindSuffix}}.json';

const check = (version: string, manifests: string) =>
  spawnSync(
    toolPath('kubeconform'),
    [
      '-strict',
      '-summary',
      '-output',
      'json',
      ...[join(schemasFolder, version), join(schemasFolder, 'custom'), own].flatMap((folder) => [
        '-schema-location',
        join(folder, file),
      ]),
    ],
    { input: manifests, encoding: 'utf8' },
  );

suite('manifests are as Kubernetes wants them', { skip: missingTool('helm', 'kubeconform') }, () => {
  test.after(() => rm(own, { recursive: true }));

  test('every kind that a scenario makes has a schema, and no other', () => {
    const kinds = new Set(scenarios.flatMap((scenario) => renderScenario(scenario).map(({ kind }) => kind)));
    const known = [...Object.keys(checkedKinds), ...customKinds.map(({ kind }) => kind), 'QueueScaler'];
    // Rules may not have been written yet.
    kinds.add('PrometheusRule');
    assert.deepEqual([...kinds].toSorted(), known.toSorted());
  });

  test('the oldest version that is checked is the oldest that Chart.yaml allows', () => {
    const { kubeVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
    assert.equal(kubeVersion, `>=${checkedVersions[0].split('.').slice(0, 2).join('.').slice(1)}.0-0`);
  });

  for (const version of checkedVersions) {
    test(`by the schemas of ${version}`, () => {
      for (const scenario of scenarios) {
        const { stdout, stderr } = check(version, renderText(scenarioFile(scenario), ['--kube-version', version]));
        const { resources = [], summary } = JSON.parse(stdout || assert.fail(stderr));
        assert.deepEqual(resources, [], scenario);
        assert.ok(summary.valid >= 20, scenario);
        assert.equal(summary.skipped, 0, scenario);
      }
    });

    test(`a field that ${version} does not know is found`, () => {
      const manifest = 'apiVersion: v1\nkind: Service\nmetadata: { name: x }\nspec: { prots: [] }\n';
      const { stdout, status } = check(version, manifest);
      assert.equal(status, 1);
      assert.match(stdout, /prots/);
    });
  }
});
