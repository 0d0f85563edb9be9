import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { databaseVariables } from '@hearth/core/config/commonConfig.ts';
import { poolNames } from '@hearth/core/config/pipeline.ts';
import { readConfig, type ConfigTable } from '@hearth/core/config/config.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { workerVariables } from '@hearth/core/config/workerConfig.ts';
import { apiVariables } from '@hearth/api/config/config.ts';
import { chart, renderScenario, scenarioFile, scenarios } from './helm.ts';
import type { Container } from './kubernetesObject.ts';
import { containersOf, podTemplates } from './pods.ts';

const root = join(chart, '..', '..');

/** Environment variables of the operator, which has its own table. */
const operatorVariables = [
  ...readFileSync(join(root, 'operators/queue-scaler/src/config.ts'), 'utf8').matchAll(/name: '(HEARTH_\w+)'/g),
].map(([, name = '']) => name);

/** Environment variables of the documentation site's server. */
const siteVariables = [
  ...readFileSync(join(root, 'docs/server/main.ts'), 'utf8').matchAll(/env\['(HEARTH_\w+)'\]/g),
].map(([, name = '']) => name);

/** Variables that the chart sets only with certain model values. Without these, `worker.extraEnv` may set them. */
const modelVariables = new Set([
  'HEARTH_PLACES_FILE',
  'HEARTH_OFFLINE',
  'HEARTH_GEO_MIRROR',
  'HEARTH_MODEL_MIRROR',
  'HEARTH_SEARCH_MODEL',
]);

const namesOf = (table: ConfigTable): readonly string[] => Object.values(table).map(({ name }) => name);

/** Allowed variables of our containers by container name. */
const settings: Readonly<Record<string, readonly string[]>> = {
  api: namesOf(apiVariables({})),
  migrate: [...namesOf(databaseVariables), 'HEARTH_LOG_LEVEL'],
  worker: namesOf(workerVariables({})),
  operator: operatorVariables,
  site: siteVariables,
};

/** Variables that the chart does not set, with reasons. */
const omittedVariables: Readonly<Record<string, string>> = {
  HEARTH_GIT_SHA: 'set in the image',
  HEARTH_WEB_DIR: 'the image has the web app at the default path',
  HEARTH_SITE_DIR: 'the image has the site at the default path',
  HEARTH_DISK_RESERVE_BYTES: 'the default fits; extraEnv can change it',
  HEARTH_EXIFTOOL: 'the image contains exiftool',
  HEARTH_DECODERS_MEMORY_BYTES: 'derived from the memory limit of the pod; extraEnv can change it',
  HEARTH_DECODE_TIMEOUT_SECONDS: 'the default fits; extraEnv can change it',
  HEARTH_LEASE_SECONDS: 'the default fits; extraEnv can change it',
  HEARTH_MODEL_DIR: 'the default is a folder of the data volume',
  HEARTH_ML_PROVIDER: 'the default fits; extraEnv can change it',
  HEARTH_ML_THREADS: 'the default fits; extraEnv can change it',
  HEARTH_KUBERNETES_URL: 'the operator runs in the cluster',
  HEARTH_KUBERNETES_CA_FILE: 'the operator runs in the cluster',
  HEARTH_KUBERNETES_TOKEN_FILE: 'the operator runs in the cluster',
  HEARTH_NAMESPACE: 'the operator serves the namespace that it runs in',
  HEARTH_WATCH_SILENCE_SECONDS: 'the default fits',
};

const listHearthVariables = ({ env = [] }: Container): readonly string[] =>
  env.map(({ name }) => name).filter((name) => name.startsWith('HEARTH_'));

/** Returns the containers of all scenarios. */
const listContainers = (): readonly Container[] =>
  scenarios.flatMap((scenario) => podTemplates(renderScenario(scenario)).flatMap(({ spec }) => containersOf(spec)));

/** Returns HEARTH_PLACES_FILE of a scenario's workers. */
const listPlacesFiles = (scenario: string): (string | undefined)[] =>
  podTemplates(renderScenario(scenario))
    .flatMap(({ spec }) => containersOf(spec))
    .filter(({ name }) => name === 'worker')
    .map(({ env = [] }) => env.find(({ name }) => name === 'HEARTH_PLACES_FILE')?.value);

/** Returns the distinct values of HEARTH_CONFINEMENT of all workers. */
const listConfinements = (scenario: string): ReadonlySet<string | undefined> =>
  new Set(
    podTemplates(renderScenario(scenario))
      .flatMap(({ spec }) => spec.containers)
      .filter(({ name }) => name === 'worker')
      .map(({ env = [] }) => env.find(({ name }) => name === 'HEARTH_CONFINEMENT')?.value),
  );

suite("Hearth's environment variables in the pods", { skip: missingTool('helm') }, () => {
  test('are known to the process, without duplicates', () => {
    const containers = listContainers().filter((container) => listHearthVariables(container).length > 0);
    for (const container of containers) {
      const names = listHearthVariables(container);
      assert.deepEqual(names, [...new Set(names)], container.name);
      for (const name of names) assert.ok(settings[container.name]?.includes(name), `${container.name}: ${name}`);
    }
    assert.deepEqual([...new Set(containers.map(({ name }) => name))].toSorted(), Object.keys(settings).toSorted());
  });

  test('are complete, except for those omitted for a reason', () => {
    const set = new Set(listContainers().flatMap(listHearthVariables));
    const known = new Set(Object.values(settings).flat());
    assert.deepEqual([...known].filter((name) => !set.has(name)).toSorted(), Object.keys(omittedVariables).toSorted());
  });

  test('have values that the process accepts', () => {
    const secrets: Readonly<Record<string, string>> = {
      HEARTH_DATABASE_URL: 'postgres://hearth:x@postgres/hearth',
      HEARTH_DATABASE_DIRECT_URL: 'postgres://hearth:x@postgres/hearth',
      HEARTH_REDIS_URL: 'redis://:x@redis:6379/0',
    };
    for (const container of listContainers()) {
      const env = Object.fromEntries(
        (container.env ?? []).map(({ name, value, valueFrom }) => [
          name,
          value ??
            (valueFrom?.fieldRef ? 'hearth-worker-media-0' : (secrets[name] ?? 'a secret that is long enough for all')),
        ]),
      );
      if (container.name === 'api') assert.equal(readConfig(apiVariables(env), env).host, '0.0.0.0');
      if (container.name === 'worker') assert.ok(readConfig(workerVariables(env), env).pools.length > 0);
    }
  });

  test('make workers use the place map of their image, unless models.makePlaces is set', () => {
    assert.deepEqual(new Set(listPlacesFiles('high-availability')), new Set([undefined]));
    assert.deepEqual(new Set(listPlacesFiles('mirror')), new Set(['']));
  });

  test('serve metrics and probes on the address of the pod, not on loopback', () => {
    const serving = scenarios
      .flatMap((scenario) => podTemplates(renderScenario(scenario)).flatMap(({ spec }) => spec.containers))
      .filter(({ ports = [] }) => ports.some(({ name }) => name === 'metrics'));
    assert.deepEqual([...new Set(serving.map(({ name }) => name))].toSorted(), ['api', 'operator', 'worker']);
    for (const { name, env = [], ports = [] } of serving) {
      const valueOf = (variable: string) => env.find((each) => each.name === variable)?.value;
      assert.equal(valueOf('HEARTH_METRICS_HOST'), '0.0.0.0', name);
      const { containerPort } = ports.find((port) => port.name === 'metrics')!;
      assert.equal(valueOf('HEARTH_METRICS_PORT'), String(containerPort), name);
    }
  });

  test('require workers to sandbox decoders, unless the values disable it', () => {
    assert.deepEqual(listConfinements('default'), new Set(['required']));
    assert.deepEqual(listConfinements('existing-claims'), new Set(['off']));
  });

  test('give processes enough time to stop before they are killed', () => {
    for (const scenario of scenarios)
      for (const { what, spec } of podTemplates(renderScenario(scenario))) {
        const [container] = spec.containers;
        const stop = container?.env?.find(({ name }) => name === 'HEARTH_STOP_TIMEOUT_SECONDS')?.value;
        if (stop === undefined) continue;
        const pause = Number(container?.lifecycle?.preStop?.exec.command[1] ?? 0);
        // A worker takes five seconds longer than the configured timeout.
        assert.ok(spec.terminationGracePeriodSeconds! >= pause + Number(stop) + 10, what);
      }
  });
});

test('templates/validate.yaml lists the queues of the code', () => {
  const validation = readFileSync(join(chart, 'templates/validate.yaml'), 'utf8');
  const lists = [...validation.matchAll(/list ((?:"\w+" ?)+)\)?/g)].map(([, names = '']) => names);
  const pools = lists.filter((names) => names.includes('"media"'));
  assert.equal(pools.length, 2);
  for (const names of pools)
    assert.deepEqual(names.match(/\w+/g)?.toSorted(), poolNames.toSorted(), 'templates/validate.yaml');
});

test('rejects variables in extraEnv that the chart sets', { skip: missingTool('helm') }, () => {
  const refused = readFileSync(join(chart, 'templates/validate.yaml'), 'utf8');
  for (const scenario of scenarios.filter((each) => !readFileSync(scenarioFile(each), 'utf8').includes('extraEnv')))
    for (const { spec } of podTemplates(renderScenario(scenario)))
      for (const { name, env = [] } of spec.containers.filter((each) => ['api', 'worker'].includes(each.name)))
        for (const variable of env)
          if (!modelVariables.has(variable.name))
            assert.ok(refused.includes(`"${variable.name}"`), `${scenario}: ${variable.name} of ${name}`);
});

test('every program in a pod command exists in the tree at the path in the image', () => {
  const commands = readFileSync(join(chart, 'templates/api/deployment.yaml'), 'utf8');
  const programs = [...commands.matchAll(/command: \[node, (\S+)\]/g)].map(([, path = '']) => path);
  assert.equal(programs.length, 1);
  for (const path of programs) assert.ok(existsSync(join(root, path)), path);
});
