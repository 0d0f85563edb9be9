import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { poolNames } from '@hearth/core/config/pipeline.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, parseObjects, renderScenario, renderText, runHelm, scenarioFile, scenarios } from './helm.ts';
import { podTemplates } from './pods.ts';

const templates = globSync('templates/**/*', { cwd: chart }).filter((path) => /\.\w+$/.test(path));

/** Returns the sorted names of a scenario's objects of a kind. */
const namesOfKind = (kind: string, scenario: string): readonly string[] =>
  renderScenario(scenario)
    .filter((object) => object.kind === kind)
    .map(({ metadata }) => metadata.name)
    .toSorted();

const getApiReplicas = (scenario: string): number | undefined =>
  renderScenario(scenario).find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'hearth-api')!.spec!
    .replicas;

/** Returns the spec of the API Service. */
const getApiServiceSpec = (scenario: string) =>
  renderScenario(scenario).find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'hearth-api')!.spec!;

test('templates use no randomness, time or cluster state', () => {
  assert.ok(templates.length > 0);
  for (const path of templates) {
    const text = readFileSync(join(chart, path), 'utf8');
    const actions = [...text.matchAll(/\{\{.*?\}\}/gs)]
      .map(([action]) => action.replaceAll(/"[^"]*"|\/\*.*\*\//gs, ''))
      .join('\n');
    assert.doesNotMatch(
      actions,
      /\b(lookup|rand\w*|uuidv4|gen(PrivateKey|CA|SelfSignedCert|SignedCert)\w*|now|date\w*|ago|htpasswd|bcrypt|shuffle|getHostByName)\b/,
      path,
    );
  }
});

suite('rendering', { skip: missingTool('helm') }, () => {
  test('helm lint finds no problems with the values of every scenario', () => {
    for (const scenario of scenarios) {
      const { isOk, stdout, stderr } = runHelm('lint', '--strict', chart, '--values', scenarioFile(scenario));
      assert.ok(isOk, `${scenario}: ${stdout}${stderr}`);
    }
  });

  test('two renderings of a scenario are identical', () => {
    for (const scenario of scenarios) {
      const file = scenarioFile(scenario);
      assert.equal(renderText(file), renderText(file), scenario);
    }
  });

  test('every object has the labels of the release and a unique name', () => {
    for (const scenario of scenarios) {
      const objects = renderScenario(scenario);
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.deepEqual(names, [...new Set(names)], scenario);
      for (const { kind, metadata } of objects) {
        assert.equal(metadata.labels?.['app.kubernetes.io/instance'], 'hearth', `${kind} ${metadata.name}`);
        assert.match(metadata.name, /^[a-z0-9-]{1,63}$/);
      }
    }
  });

  test('every queue has a Deployment and a QueueScaler, and the Deployment sets no replicas', () => {
    for (const scenario of scenarios) {
      const objects = renderScenario(scenario);
      const workers = objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'worker');
      const deployments = workers.filter(({ kind }) => kind === 'Deployment');
      const scalers = workers.filter(({ kind }) => kind === 'QueueScaler');
      for (const { spec } of deployments) assert.equal(spec?.replicas, undefined);
      assert.deepEqual(
        scalers.map(({ spec }) => spec!.scaleTargetRef!.name),
        deployments.map(({ metadata }) => metadata.name),
      );
      const queues = scalers.flatMap(({ spec }) => spec!.queues!.map(({ name }) => name));
      assert.deepEqual(queues.toSorted(), poolNames.toSorted(), scenario);
      for (const [index, { spec }] of deployments.entries()) {
        const env = spec!.template!.spec.containers[0]!.env!;
        const pulled = env.find(({ name }) => name === 'HEARTH_POOLS')!.value!;
        assert.deepEqual(
          scalers[index]!.spec!.queues!.map(({ name }) => name),
          pulled.split(','),
        );
      }
    }
  });

  test('the API sets no replicas if an autoscaler is enabled', () => {
    assert.equal(getApiReplicas('autoscaling'), undefined);
    assert.equal(getApiReplicas('high-availability'), 2);
    assert.equal(getApiReplicas('default'), 1);
  });

  test('disruption budgets exist for two or more replicas', () => {
    assert.deepEqual(namesOfKind('PodDisruptionBudget', 'default'), []);
    assert.deepEqual(namesOfKind('PodDisruptionBudget', 'autoscaling'), ['hearth-api']);
    assert.deepEqual(namesOfKind('PodDisruptionBudget', 'high-availability'), [
      'hearth-api',
      'hearth-queue-scaler',
      'hearth-site',
    ]);
  });

  test('rejects invalid values with a message that names the value', async () => {
    for (const [values, message] of invalidValues) {
      const file = await writeValues(values);
      const { isOk, stderr } = runHelm('template', 'hearth', chart, '--values', file.path);
      await file.remove();
      assert.ok(!isOk, JSON.stringify(values));
      assert.match(stderr, message, JSON.stringify(values));
    }
  });

  test('global accepts values of other charts, because Helm passes it to every subchart', async () => {
    const file = await writeValues({ global: { storageClass: 'fast', imageRegistry: 'registry.example.org' } });
    const { isOk, stdout, stderr } = runHelm('template', 'hearth', chart, '--values', file.path);
    await file.remove();
    assert.ok(isOk, stderr);
    assert.match(stdout, /image: registry\.example\.org\/hearth-photos\/hearth-api:/);
  });

  test('the API Service has the settings of its values, and no unnecessary ones', () => {
    const { selector: _, ...balanced } = getApiServiceSpec('existing-claims');
    assert.deepEqual(balanced, {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      loadBalancerClass: 'metallb.io/metallb',
      loadBalancerIP: '192.168.1.240',
      ports: [{ name: 'http', port: 8080, targetPort: 'http', nodePort: 30080 }],
    });
    assert.deepEqual(Object.keys(getApiServiceSpec('default')).toSorted(), ['ports', 'selector', 'type']);
  });

  test('data pods have the priority class of their values', () => {
    const set = ['postgres', 'redis', 'minio'].map((name) => `--set=${name}.priorityClassName=data`);
    const objects = parseObjects(renderText(scenarioFile('default'), set));
    for (const { what, object, spec } of podTemplates(objects))
      assert.equal(spec.priorityClassName, object.kind === 'StatefulSet' ? 'data' : undefined, what);
  });

  test('bundled servers can be disabled one by one', () => {
    assert.deepEqual(namesOfKind('StatefulSet', 'default'), ['hearth-minio', 'hearth-postgres', 'hearth-redis']);
    assert.deepEqual(namesOfKind('StatefulSet', 'existing-postgres'), ['hearth-minio', 'hearth-redis']);
    assert.deepEqual(namesOfKind('StatefulSet', 'existing-redis'), ['hearth-minio', 'hearth-postgres']);
    assert.deepEqual(namesOfKind('StatefulSet', 'existing-s3'), ['hearth-postgres', 'hearth-redis']);
    assert.deepEqual(namesOfKind('StatefulSet', 'existing-all'), []);
  });

  test('unfinished multipart uploads stay in the store longer than uploads can be resumed', () => {
    const minio = podTemplates(renderScenario('default')).find(({ what }) => what === 'StatefulSet hearth-minio')!;
    const expiry = minio.spec.containers[0]!.env!.find(({ name }) => name === 'MINIO_API_STALE_UPLOADS_EXPIRY')!.value!;
    // Seven days, as documented in docs/docs/decisions/uploads.md.
    assert.match(expiry, /^\d+h$/);
    assert.ok(Number.parseInt(expiry, 10) > 7 * 24);
  });
});

const writeValues = async (values: object): Promise<{ path: string; remove: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-values-'));
  const path = join(folder, 'values.json');
  await writeFile(path, JSON.stringify(values));
  return { path, remove: () => rm(folder, { recursive: true }) };
};

/** Invalid values with the expected error messages. */
const invalidValues: readonly (readonly [object, RegExp])[] = [
  [{ replicas: 2 }, /additional properties 'replicas' not allowed/],
  [{ api: { replicaCount: 2 } }, /at '\/api': additional properties 'replicaCount' not allowed/],
  [{ worker: { pools: { media: { replicas: 1 } } } }, /at '\/worker\/pools\/media': additional properties 'replicas'/],
  [{ api: { image: { tag: 'latest' } } }, /at '\/api\/image\/tag'/],
  [{ library: { trashDays: 0 } }, /at '\/library\/trashDays'/],
  [{ library: { scrubDays: -1 } }, /at '\/library\/scrubDays'/],
  [{ library: { scrubBytesPerSecond: 0 } }, /at '\/library\/scrubBytesPerSecond'/],
  [{ api: { replicas: '2' } }, /at '\/api\/replicas': got string, want integer/],
  [{ postgres: { enabled: false } }, /set postgres\.existing\.secretName/],
  [{ postgres: { existing: { secretName: 'x' } } }, /set postgres\.enabled to false/],
  [{ redis: { enabled: false } }, /set redis\.existing\.secretName/],
  [{ redis: { existing: { secretName: 'x' } } }, /set redis\.enabled to false/],
  [{ minio: { enabled: false } }, /set s3\.existing\.endpoint and s3\.existing\.secretName/],
  [{ s3: { existing: { endpoint: 'http://s3' } } }, /set minio\.enabled to false/],
  [{ s3: { directLinks: true } }, /set s3\.publicUrl to the URL of the store for browsers/],
  [
    { library: { publicUrl: 'https://example.org/photos' } },
    /library\.publicUrl is https:\/\/example\.org\/photos: .* set it to https:\/\/example\.org and give Hearth a host name/,
  ],
  [{ api: { service: { externalTrafficPolicy: 'Local' } } }, /need api\.service\.type NodePort or LoadBalancer/],
  [{ api: { service: { nodePort: 30080 } } }, /need api\.service\.type NodePort or LoadBalancer/],
  [{ api: { service: { type: 'NodePort', loadBalancerIP: '10.0.0.1' } } }, /need api\.service\.type LoadBalancer/],
  [{ ingress: { enabled: true } }, /set ingress\.hosts/],
  [{ httpRoute: { enabled: true } }, /set httpRoute\.parentRefs/],
  [{ api: { autoscaling: { minReplicas: 5 } } }, /minReplicas must not be greater than api\.autoscaling\.maxReplicas/],
  [{ site: { enabled: true, hosts: ['docs.example.org'] } }, /set ingress\.enabled or httpRoute\.enabled/],
  [
    { site: { enabled: true, hosts: ['a.example.org'] }, ingress: { enabled: true, hosts: ['a.example.org'] } },
    /site\.hosts contains a\.example\.org, which is a host of the library/,
  ],
  [{ minio: { staleUploadsHours: 168 } }, /more than 168/],
  [{ models: { makePlaces: true } }, /set models\.enabled to true/],
  [{ worker: { pools: { faces: {} } } }, /worker\.pools\.faces pulls from the unknown queue faces/],
  [{ worker: { pools: { video: { enabled: false } } } }, /no pool of worker\.pools pulls from the queue video/],
  [{ worker: { pools: { media: { scaling: { minReplicas: 9 } } } } }, /worker\.pools\.media\.scaling\.minReplicas/],
  [
    { worker: { extraEnv: { HEARTH_MAX_PIXELS: 200_000_000 } } },
    /at '\/worker\/extraEnv\/HEARTH_MAX_PIXELS': got number, want string/,
  ],
  [{ api: { extraEnv: { HEARTH_TOKEN_SECRET: 'x' } } }, /HEARTH_TOKEN_SECRET is a secret/],
];
