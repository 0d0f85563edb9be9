import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';
import { parse } from 'yaml';
import { schemaName, makeSchemaOfCustomKind, schemasFolder } from '@hearth/scripts/chart/customKinds.ts';
import { checkedVersions, getFolderOfVersion } from '@hearth/scripts/tools/kubernetesSchemas.ts';
import { chart, renderText, scenarioFile, scenarios } from './helm.ts';

/**
 * Temporary folder for the schema of QueueScaler, generated from the chart's CRD, and for the manifests of each
 * scenario.
 */
const folder = mkdtempSync(join(tmpdir(), 'hearth-schema-'));
test.after(() => rmSync(folder, { recursive: true }));

const scalerApiVersion = 'scaling.hearth.photos/v1alpha1';
const definition = parse(readFileSync(join(chart, 'crds/queueScalers.yaml'), 'utf8'));
writeFileSync(
  join(folder, schemaName(scalerApiVersion, 'QueueScaler')),
  makeSchemaOfCustomKind(definition, scalerApiVersion),
);

/** Checks the manifests in files. A kind without a schema is an error. */
const check = (version: string, files: readonly string[]) => {
  const kubernetes = join(toolPath('kubernetes-schemas'), getFolderOfVersion(version));
  const locations = [kubernetes, schemasFolder, folder].map(
    (each) => `-schema-location=${join(each, '{{.ResourceKind}}{{.KindSuffix}}.json')}`,
  );
  const args = ['-strict', '-summary', '-output=json', ...locations, ...files];
  const { stdout, stderr } = spawnSync(toolPath('kubeconform'), args, { encoding: 'utf8' });
  return JSON.parse(stdout || assert.fail(stderr)) as {
    readonly resources?: readonly { readonly msg: string }[];
    readonly summary: { readonly valid: number; readonly skipped: number };
  };
};

const write = (name: string, manifests: string): string => {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, manifests);
  return file;
};

suite('kubeconform', { skip: missingTool('helm', 'kubeconform', 'kubernetes-schemas') }, () => {
  test('checks the oldest version that Chart.yaml allows', () => {
    const { kubeVersion } = parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'));
    assert.equal(kubeVersion, `>=${checkedVersions[0]}-0`);
  });

  for (const version of checkedVersions) {
    test(`finds no problems in the manifests of all scenarios for ${version}`, () => {
      const files = scenarios.map((scenario) =>
        write(`${scenario}-${version}`, renderText(scenarioFile(scenario), ['--kube-version', version])),
      );
      const { resources = [], summary } = check(version, files);
      assert.deepEqual(resources, []);
      assert.ok(summary.valid >= 20 * scenarios.length);
      assert.equal(summary.skipped, 0);
    });

    test(`detects a field that is unknown in ${version}`, () => {
      const services = [{ spec: { prots: [] } }, { spec: { ports: [] }, metadata: { name: 'x', lables: {} } }];
      for (const [index, service] of services.entries()) {
        const manifest = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, ...service };
        const { resources = [] } = check(version, [write(`wrong-${index}`, JSON.stringify(manifest))]);
        assert.match(resources[0]!.msg, /additional properties '(prots|lables)' not allowed/);
      }
    });
  }

  test('detects an unknown field of a custom kind', () => {
    const metadata = { name: 'x' };
    const wrong = [
      { apiVersion: scalerApiVersion, kind: 'QueueScaler', metadata, spec: { quues: [] } },
      { apiVersion: 'monitoring.coreos.com/v1', kind: 'PodMonitor', metadata, spec: { selector: {}, endpionts: [] } },
    ];
    for (const manifest of wrong) {
      const { resources = [] } = check(checkedVersions[1], [write(manifest.kind, JSON.stringify(manifest))]);
      assert.match(resources[0]!.msg, /additional properties '(quues|endpionts)' not allowed/);
    }
  });
});
