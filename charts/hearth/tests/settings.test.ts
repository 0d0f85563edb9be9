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

/** The variables of the operator, which has a table of its own. */
const operatorVariables = [
  ...readFileSync(join(root, 'operators/queue-scaler/src/config.ts'), 'utf8').matchAll(/name: '(HEARTH_\w+)'/g),
].map(([, name = '']) => name);

/** The variables of the server of the documentation site. */
const siteVariables = [
  ...readFileSync(join(root, 'docs/server/main.ts'), 'utf8').matchAll(/env\['(HEARTH_\w+)'\]/g),
].map(([, name = '']) => name);

/** Set only where the values of models say something, so that `worker.extraEnv` may have them elsewhere. */
const ofModels = new Set([
  'HEARTH_PLACES_FILE',
  'HEARTH_OFFLINE',
  'HEARTH_GEO_MIRROR',
  'HEARTH_MODEL_MIRROR',
  'HEARTH_SEARCH_MODEL',
]);

const namesOf = (table: ConfigTable): readonly string[] => Object.values(table).map(({ name }) => name);

/** The settings that each container of ours may have, by its name. */
const settings: Readonly<Record<string, readonly string[]>> = {
  api: namesOf(apiVariables({})),
  migrate: [...namesOf(databaseVariables), 'HEARTH_LOG_LEVEL'],
  worker: namesOf(workerVariables({})),
  operator: operatorVariables,
  site: siteVariables,
};

/** Settings that the chart leaves alone, each with the reason. */
const leftAlone: Readonly<Record<string, string>> = {
  HEARTH_GIT_SHA: 'the image says it',
  HEARTH_WEB_DIR: 'the image has it where the API looks for it',
  HEARTH_SITE_DIR: 'the image has it where the server looks for it',
  HEARTH_DISK_RESERVE_BYTES: 'the default fits, and extraEnv takes another one',
  HEARTH_EXIFTOOL: 'the image has it',
  HEARTH_DECODERS_MEMORY_BYTES: 'it follows the memory limit of the pod, and extraEnv takes another one',
  HEARTH_DECODE_TIMEOUT_SECONDS: 'the default fits, and extraEnv takes another one',
  HEARTH_LEASE_SECONDS: 'the default fits, and extraEnv takes another one',
  HEARTH_MODEL_DIR: 'the default is in the data folder, where the volume is',
  HEARTH_ML_PROVIDER: 'the default fits, and extraEnv takes another one',
  HEARTH_ML_THREADS: 'the default fits, and extraEnv takes another one',
  HEARTH_KUBERNETES_URL: 'the operator runs in the cluster',
  HEARTH_KUBERNETES_CA_FILE: 'the operator runs in the cluster',
  HEARTH_KUBERNETES_TOKEN_FILE: 'the operator runs in the cluster',
  HEARTH_NAMESPACE: 'the operator serves the namespace that it runs in',
  HEARTH_WATCH_SILENCE_SECONDS: 'the default fits',
};

const ofHearth = ({ env = [] }: Container): readonly string[] =>
  env.map(({ name }) => name).filter((name) => name.startsWith('HEARTH_'));

/** The containers of all scenarios. */
const listContainers = (): readonly Container[] =>
  scenarios.flatMap((scenario) => podTemplates(renderScenario(scenario)).flatMap(({ spec }) => containersOf(spec)));

/** What the workers of a scenario are told of the map of places. */
const mapOf = (scenario: string): (string | undefined)[] =>
  podTemplates(renderScenario(scenario))
    .flatMap(({ spec }) => containersOf(spec))
    .filter(({ name }) => name === 'worker')
    .map(({ env = [] }) => env.find(({ name }) => name === 'HEARTH_PLACES_FILE')?.value);

/** The values of HEARTH_CONFINEMENT of all workers. */
const confinementOf = (scenario: string): ReadonlySet<string | undefined> =>
  new Set(
    podTemplates(renderScenario(scenario))
      .flatMap(({ spec }) => spec.containers)
      .filter(({ name }) => name === 'worker')
      .map(({ env = [] }) => env.find(({ name }) => name === 'HEARTH_CONFINEMENT')?.value),
  );

suite('the settings of Hearth in the pods', { skip: missingTool('helm') }, () => {
  test('are settings that the process knows, each once', () => {
    const containers = listContainers().filter((container) => ofHearth(container).length > 0);
    for (const container of containers) {
      const names = ofHearth(container);
      assert.deepEqual(names, [...new Set(names)], container.name);
      for (const name of names) assert.ok(settings[container.name]?.includes(name), `${container.name}: ${name}`);
    }
    assert.deepEqual([...new Set(containers.map(({ name }) => name))].toSorted(), Object.keys(settings).toSorted());
  });

  test('are all that there are, but for those that are left alone for a reason', () => {
    const set = new Set(listContainers().flatMap(ofHearth));
    const known = new Set(Object.values(settings).flat());
    assert.deepEqual([...known].filter((name) => !set.has(name)).toSorted(), Object.keys(leftAlone).toSorted());
  });

  test('have values that the process takes', () => {
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

  test('leave workers the map of places in their image, unless another one is to be made', () => {
    assert.deepEqual(new Set(mapOf('high-availability')), new Set([undefined]));
    assert.deepEqual(new Set(mapOf('mirror')), new Set(['']));
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

  test('require workers to confine decoders, unless the values say otherwise', () => {
    assert.deepEqual(confinementOf('default'), new Set(['required']));
    assert.deepEqual(confinementOf('existing-claims'), new Set(['off']));
  });

  test('of processes that are to end, leave time enough before they are killed', () => {
    for (const scenario of scenarios)
      for (const { what, spec } of podTemplates(renderScenario(scenario))) {
        const [container] = spec.containers;
        const stop = container?.env?.find(({ name }) => name === 'HEARTH_STOP_TIMEOUT_SECONDS')?.value;
        if (stop === undefined) continue;
        const pause = Number(container?.lifecycle?.preStop?.exec.command[1] ?? 0);
        // A worker takes five seconds more than it is told to.
        assert.ok(spec.terminationGracePeriodSeconds! >= pause + Number(stop) + 10, what);
      }
  });
});

test('the queues that a pool may pull from are those of the code, in the values and where they are checked', () => {
  const validation = readFileSync(join(chart, 'templates/validate.yaml'), 'utf8');
  const lists = [...validation.matchAll(/list ((?:"\w+" ?)+)\)?/g)].map(([, names = '']) => names);
  const pools = lists.filter((names) => names.includes('"media"'));
  assert.equal(pools.length, 2);
  for (const names of pools)
    assert.deepEqual(names.match(/\w+/g)?.toSorted(), poolNames.toSorted(), 'templates/validate.yaml');
});

test('what the chart sets is refused among extraEnv', { skip: missingTool('helm') }, () => {
  const refused = readFileSync(join(chart, 'templates/validate.yaml'), 'utf8');
  for (const scenario of scenarios.filter((each) => !readFileSync(scenarioFile(each), 'utf8').includes('extraEnv')))
    for (const { spec } of podTemplates(renderScenario(scenario)))
      for (const { name, env = [] } of spec.containers.filter((each) => ['api', 'worker'].includes(each.name)))
        for (const variable of env)
          if (!ofModels.has(variable.name))
            assert.ok(refused.includes(`"${variable.name}"`), `${scenario}: ${variable.name} of ${name}`);
});

test('every program that a pod is told to run is in the tree, where the images have it', () => {
  const commands = readFileSync(join(chart, 'templates/api/deployment.yaml'), 'utf8');
  const programs = [...commands.matchAll(/command: \[node, (\S+)\]/g)].map(([, path = '']) => path);
  assert.equal(programs.length, 1);
  for (const path of programs) assert.ok(existsSync(join(root, path)), path);
});
