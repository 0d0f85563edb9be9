import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { parse } from 'yaml';
import { startLoadHearth } from '../loadHearth.ts';
import { parseLoadName } from '../loads.ts';
import { archiveK6, runFile } from '../runK6.ts';

/** The fields of the example that the tests read. */
interface TestRun {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly parallelism: number;
    readonly script: { readonly configMap: { readonly name: string; readonly file: string } };
    readonly initializer: Pod;
    readonly starter: Pod;
    readonly runner: Pod & { readonly env: readonly { readonly name: string; readonly value?: string }[] };
  };
}

interface Pod {
  readonly securityContext: object;
  readonly containerSecurityContext: object;
}

/**
 * Allowed fields of `spec` and of its pods (https://github.com/grafana/k6-operator/blob/main/docs/crd-generated.md).
 */
const specFields =
  'arguments args cleanup cloud initializer parallelism paused ports quiet runner script scuttle separate starter testRunId token'.split(
    ' ',
  );
const podFields =
  'affinity automountServiceAccountToken containerSecurityContext disabled env envFrom image imagePullPolicy imagePullSecrets initContainers livenessProbe metadata nodeSelector priorityClassName readinessProbe resources schedulerName securityContext serviceAccountName tolerations topologySpreadConstraints volumeMounts volumes'.split(
    ' ',
  );

/** Maximum size of a ConfigMap, in bytes. */
const configMapBytes = 1_048_576;

const { apiVersion, kind, metadata, spec } = parse(
  await readFile(join(import.meta.dirname, 'testRun.yaml'), 'utf8'),
) as TestRun;
const load = parseLoadName(metadata.name.replace('hearth-', ''));

test('the k6-operator example has only known fields, and its pods fit a restricted namespace', () => {
  assert.deepEqual([apiVersion, kind], ['k6.io/v1alpha1', 'TestRun']);
  assert.deepEqual(
    Object.keys(spec).filter((field) => !specFields.includes(field)),
    [],
  );
  for (const pod of [spec.initializer, spec.starter, spec.runner]) {
    assert.deepEqual(
      Object.keys(pod).filter((field) => !podFields.includes(field)),
      [],
    );
    assert.deepEqual(pod.containerSecurityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    assert.deepEqual(pod.securityContext, {
      runAsNonRoot: true,
      runAsUser: 12_345,
      seccompProfile: { type: 'RuntimeDefault' },
    });
  }
});

test('the example targets the API Service', async () => {
  const serviceTemplate = await readFile(
    join(import.meta.dirname, '../../../charts/hearth/templates/api/service.yaml'),
    'utf8',
  );
  const suffix = /fullname" \. }}(-[a-z]+)/.exec(serviceTemplate)?.[1];
  const url = spec.runner.env.find(({ name }) => name === 'HEARTH_URL')?.value;
  assert.equal(url, `http://hearth${suffix}`);
});

test('the scripts read every variable of the example', async () => {
  const settings = await readFile(join(import.meta.dirname, '../scripts/shared/settings.ts'), 'utf8');
  const readVariables = new Set(settings.match(/HEARTH_[A-Z_]+/g));
  for (const { name } of spec.runner.env) assert.ok(readVariables.has(name) || name.startsWith('K6_'), name);
});

test(
  'the archived example fits into a ConfigMap and runs with environment variables alone',
  { skip: missingTool('k6') },
  async (t) => {
    const { url, admin, run } = await startLoadHearth(t);
    const file = join(run.reportFolder, spec.script.configMap.file);
    const brief = { seconds: '3', rate: '2', slowness: '10' };
    const archived = await archiveK6({ ...brief, load, photos: run.photos }, file);
    assert.equal(archived.code, 0, archived.output);
    assert.ok((await stat(file)).size < configMapBytes, `${(await stat(file)).size} bytes`);
    const podVariables = Object.fromEntries(spec.runner.env.map(({ name, value = '' }) => [name, value]));
    const variables = {
      ...podVariables,
      HEARTH_URL: url,
      HEARTH_ADMIN_USERNAME: admin.username,
      HEARTH_ADMIN_PASSWORD: admin.password,
    };
    const { code, output } = await runFile(file, variables, () => undefined);
    assert.equal(code, 0, output);
    assert.match(output, /^# k6: browse$/m);
    assert.ok(Number(/ in (\d+) s,/.exec(output)?.[1]) < 60, 'the archive lost the duration');
  },
);
