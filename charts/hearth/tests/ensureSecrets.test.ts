import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { startFakeSecrets, type FakeSecrets, type StoredSecret } from './fakeSecrets.ts';
import { renderScenario } from './helm.ts';
import { runScript } from './runScript.ts';

const configMap = (): Readonly<Record<string, string>> =>
  renderScenario('default').find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'hearth-secrets')!
    .data!;

const decode = (secret: StoredSecret | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );

const encode = (values: Readonly<Record<string, string>>): StoredSecret => ({
  data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  version: 7,
});

/** Starts a server, and returns the script as the Job of the default scenario runs it. */
const prepare = async (t: TestContext): Promise<{ server: FakeSecrets; run: () => ReturnType<typeof runScript> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-secrets-'));
  const server = await startFakeSecrets();
  t.after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  await writeFile(join(folder, 'namespace'), 'photos\n');
  await writeFile(join(folder, 'token'), 'the-token\n');
  for (const [name, content] of Object.entries(configMap())) await writeFile(join(folder, name), content);
  const run = () =>
    runScript(join(folder, 'ensureSecrets.mts'), {
      SERVICE_ACCOUNT: folder,
      KUBERNETES_URL: server.url,
      SECRETS_FILE: join(folder, 'secrets.json'),
      SECRETS_LABELS: '{"app.kubernetes.io/instance":"hearth"}',
    });
  return { server, run };
};

suite('Job that creates Secrets', { skip: missingTool('helm') }, () => {
  test('creates all missing Secrets once, with different values, and prints no value', async (t) => {
    const { server, run } = await prepare(t);
    const [code, output] = await run();
    assert.equal(code, 0, output);
    assert.deepEqual([...server.secrets.keys()].toSorted(), [
      'hearth-keys',
      'hearth-minio',
      'hearth-postgres',
      'hearth-redis',
    ]);
    const keys = decode(server.secrets.get('hearth-keys'));
    assert.match(keys['admin-password']!, /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    assert.match(keys['token-secret']!, /^[0-9a-f]{64}$/);
    assert.notEqual(keys['token-secret'], keys['link-secret']);
    const postgres = decode(server.secrets.get('hearth-postgres'));
    assert.equal(postgres['url'], `postgres://hearth:${postgres['password']}@hearth-postgres:5432/hearth`);
    const redis = decode(server.secrets.get('hearth-redis'));
    assert.equal(redis['url'], `redis://:${redis['password']}@hearth-redis:6379/0`);
    assert.deepEqual(server.secrets.get('hearth-redis')!.labels, { 'app.kubernetes.io/instance': 'hearth' });
    for (const secret of server.secrets.values())
      for (const [key, value] of Object.entries(decode(secret)))
        if (key !== 'access-key') assert.ok(!output.includes(value), key);
    const before = structuredClone(server.secrets);
    assert.equal((await run())[0], 0);
    assert.deepEqual(server.secrets, before);
  });

  test('adds missing keys to an existing Secret and changes nothing else', async (t) => {
    const { server, run } = await prepare(t);
    server.secrets.set('hearth-postgres', encode({ password: 'chosen by/hand', other: 'stays' }));
    assert.equal((await run())[0], 0);
    const { 'superuser-password': generated, ...rest } = decode(server.secrets.get('hearth-postgres'));
    assert.match(generated!, /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      password: 'chosen by/hand',
      other: 'stays',
      url: 'postgres://hearth:chosen%20by%2Fhand@hearth-postgres:5432/hearth',
    });
  });

  test('keeps values created concurrently', async (t) => {
    const { server, run } = await prepare(t);
    server.intercept = (request) => {
      if (request === 'POST' && !server.secrets.has('hearth-keys'))
        server.secrets.set('hearth-keys', encode({ 'token-secret': 'of the other one' }));
      return undefined;
    };
    assert.equal((await run())[0], 0);
    assert.equal(decode(server.secrets.get('hearth-keys'))['token-secret'], 'of the other one');
  });

  test('retries server errors, and gives up without permission', async (t) => {
    const { server, run } = await prepare(t);
    let failures = 2;
    server.intercept = () => (failures-- > 0 ? 503 : undefined);
    assert.equal((await run())[0], 0);
    server.intercept = () => 403;
    const [code, output] = await run();
    assert.equal(code, 1);
    assert.match(output, /not now \(403\)/);
  });

  test('needs exactly the permissions of its Role', async (t) => {
    const { server, run } = await prepare(t);
    server.secrets.set('hearth-postgres', encode({ password: 'x' }));
    await run();
    const role = renderScenario('default').find(
      ({ kind, metadata }) => kind === 'Role' && metadata.name === 'hearth-secrets',
    )!;
    const verbs: Readonly<Record<string, string>> = { GET: 'get', PATCH: 'patch', POST: 'create' };
    const requested = server.requests
      .map((request) => request.split(' '))
      .map(([method = '', name]) => [verbs[method], name]);
    for (const { resources } of role.rules!) assert.deepEqual(resources, ['secrets']);
    const allowed = role.rules!.flatMap((rule) => rule.verbs.map((verb) => ({ verb, names: rule.resourceNames })));
    for (const [verb, name] of requested)
      assert.ok(
        allowed.some((rule) => rule.verb === verb && (rule.names === undefined || rule.names.includes(name ?? ''))),
        `${verb} ${name}`,
      );
    for (const { verb, names } of allowed) {
      assert.ok(
        requested.some(([each]) => each === verb),
        `${verb} is never requested`,
      );
      for (const name of names ?? [])
        assert.ok(
          requested.some((each) => each[1] === name),
          name,
        );
    }
  });
});
