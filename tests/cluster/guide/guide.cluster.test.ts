import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import type { MediaItem, MediaItemDetails } from '@hearth/contract/mediaItem.ts';
import type { SharedMediaItem } from '@hearth/contract/sharing.ts';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { createUser, type Credentials } from '@hearth/testkit/hearth/request.ts';
import { until } from '@hearth/testkit/hearth/wait.ts';
import { mediaPath } from '../../media/manifest.ts';
import { forwardTo } from '../forward.ts';
import { lacksReader } from './lacksReader.ts';
import { makeOrigin } from './origin.ts';
import { makePublicAddress, type PublicAddress } from './publicAddress.ts';
import { openReader, type Reader } from './reader.ts';
import { readLibrary } from './readLibrary.ts';

/** Namespace used on all pages. */
const namespace = 'photos';

const [deployment, upgrade, backup, loadTests, values, terminal, albums] = [
  'deployment',
  'upgrade',
  'backup',
  'load-tests',
  'reference/values',
  'terminal',
  'features/albums',
].map((name) => `user-guide/${name}`) as [string, string, string, string, string, string, string];

/** Camera photos by the file names of the examples. */
const photos = { 'photo.jpg': 'camera-jpeg/Canon IXUS 430.jpg', 'scan.jpg': 'camera-jpeg/Nikon D70.jpg' };

const kubectl = (...args: readonly string[]): string =>
  execFileSync('kubectl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

suite('following the user guide on a cluster', { skip: lacksReader }, () => {
  test('builds, installs, uses, upgrades, backs up, loses and restores a library', async (t) => {
    assert.equal(kubectl('get', 'namespace', namespace, '--ignore-not-found'), '', `somebody has ${namespace} already`);
    const library = await openLibrary(t);
    await install(library);
    await tryLoads(library);
    await giveItAName(library);
    await share(library);
    await addSite(library);
    await upgradeAndBack(library);
    await loseAndRestore(library);
    assert.deepEqual(library.reader.notFollowed(), []);
  });
});

/** State of the library while the guide is followed, and its user. */
interface Library {
  readonly reader: Reader;
  readonly address: PublicAddress;
  /** Commits a newer version, which the reader can fetch. */
  readonly publishNextVersion: () => void;
  readonly say: (line: string) => void;
  person: Credentials;
}

const openLibrary = async (t: TestContext): Promise<Library> => {
  const folder = await makeFolder('guide');
  const origin = makeOrigin(folder);
  const ports = { library: await findFreePort(), bucket: await findFreePort(), proxy: await findFreePort() };
  const address = makePublicAddress(folder, ports.proxy, namespace);
  const things = { tag: '', ports, backup: join(folder, 'backup'), adminPassword: '' };
  const reader = await openReader(folder, things, { ...origin.variables, ...address.variables });
  const begin = performance.now();
  t.after(async () => {
    await reader.end();
    await address.close();
    kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--timeout=300s');
    await removeUnlessFailed(t, folder);
  });
  const say = (line: string): void =>
    console.log(`${((performance.now() - begin) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
  return {
    reader,
    address,
    publishNextVersion: origin.publishNextVersion,
    say,
    person: { username: '', password: '' },
  };
};

/** From the sources to the first photo, through a port-forward. */
const install = async (library: Library): Promise<void> => {
  const { reader, say } = library;
  await reader.follow(deployment, 'git clone');
  say('cloned');
  await takeTag(library, await reader.follow(deployment, 'services/api/Dockerfile'));
  await reader.addValues(deployment, 'worker: { image: { tag: mine-');
  say(await reader.follow(deployment, 'helm install'));
  await reader.follow(deployment, 'helm test');
  say('installed and tested');
  const forward = await reader.leaveRunning(deployment, 'port-forward');
  const [adminPassword = ''] = forward.output().split('\n');
  reader.own = { ...reader.own, adminPassword };
  const url = `http://127.0.0.1:${reader.own.ports.library}`;
  library.person = await createUser(url, { username: 'admin', password: adminPassword });
  for (const [name, path] of Object.entries(photos)) copyFileSync(mediaPath(path), join(reader.folder, 'hearth', name));
  const watch = await reader.leaveRunning(deployment, 'get queuescalers --watch');
  await signIn(library, url);
  await reader.follow(terminal, `-F 'file=@photo.jpg'`);
  await watch.untilPrinted(/hearth-worker-media +0 +4 +[1-4] /);
  say('the first photo is uploaded, and a worker is there for it');
  await watch.end();
  await forward.end();
};

/** Writes the tag printed at the end of the build into `values.yaml`. */
const takeTag = async ({ reader, say }: Library, output: string): Promise<void> => {
  const tag = output.trim().split('\n').at(-1) ?? '';
  assert.match(tag, /^mine-\d{8}-\d{4}$/);
  reader.own = { ...reader.own, tag };
  say(`built ${tag}`);
};

const signIn = async ({ reader, person }: Library, url: string): Promise<void> => {
  await reader.run(`URL='${url}' PASSWORD='${person.password}'`);
  await reader.follow(terminal, '/v1/auth/login');
};

/** Runs the load tests while the library is only reachable by port-forward. */
const tryLoads = async ({ reader, say }: Library): Promise<void> => {
  const forward = await reader.leaveRunning(loadTests, 'port-forward');
  await reader.follow(loadTests, 'npm run stories -- --url');
  say('played the stories');
  say(await reader.follow(loadTests, 'npm run load -- spike'));
  await forward.end();
};

/** Adds the public address. All links use it from then on. */
const giveItAName = async (library: Library): Promise<void> => {
  const { reader, address, say } = library;
  const { cert, key } = address.certificate;
  await reader.addValues(deployment, 'className: traefik');
  await reader.run(`kubectl -n ${namespace} create secret tls photos-tls --cert=${cert} --key=${key}`);
  await reader.follow(deployment, 'helm upgrade');
  await address.open();
  await untilOpen(address);
  await signIn(library, address.url);
  await reader.follow(terminal, `-F 'file=@scan.jpg'`);
  await reader.follow(terminal, 'thumbnail.webp');
  const id = (await reader.run('echo "$ITEM"')).trim();
  const token = await address.signIn(library.person);
  const item = await address.getJson<MediaItemDetails>(`/v1/mediaItems/${id}`, token);
  await assertShown(address, item.thumbnailUrl);
  say('a photo has its thumbnail at the public address');
};

/** Resolves when the library responds at its address. The forward restarts whenever a pod is replaced. */
const untilOpen = async (address: PublicAddress): Promise<void> => {
  const isOpen = (): Promise<boolean> =>
    address.get(`${address.url}/readyz`).then(
      (answer) => answer.includes('"ok"'),
      () => false,
    );
  await until(`${address.url} answers`, isOpen, { patienceMs: 120_000, everyMs: 500 });
};

/** Checks that a link from the API returns a picture. */
const assertShown = async (address: PublicAddress, link: string | undefined): Promise<void> => {
  assert.ok(link !== undefined && link.startsWith(`${address.url}/`), `${link}`);
  assert.equal((await address.get(link)).toString('latin1', 8, 12), 'WEBP');
};

const share = async ({ reader, address, say }: Library): Promise<void> => {
  await reader.follow(albums, '"name":"Norway 2022"');
  await reader.follow(albums, '{"shared":true}');
  const share = (await reader.run('echo "$SHARE"')).trim();
  const items = await address.getJson<SharedMediaItem[]>(`/v1/sharing/${share}/mediaItems`);
  assert.equal(items.length, 1);
  await assertShown(address, items[0]?.thumbnailUrl);
  assert.match((await address.get(`${address.url}/s/${share}`)).toString(), /<html/);
  say('a visitor sees a shared album');
};

/** Adds the documentation site. From here on the namespace enforces the restricted pod standard. */
const addSite = async (library: Library): Promise<void> => {
  const { reader, say } = library;
  kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
  const before = reader.own;
  await takeTag(library, await reader.follow(deployment, 'docs/Dockerfile'));
  await reader.addValues(deployment, 'docs.example.org');
  reader.own = before;
  await reader.follow(deployment, 'helm upgrade');
  kubectl('-n', namespace, 'rollout', 'status', 'deployment/hearth-site', '--timeout=180s');
  const inside = ['-n', namespace, 'exec', 'deploy/hearth-site', '--'];
  assert.equal(kubectl(...inside, 'id', '-u').trim(), '65532');
  assert.throws(() => kubectl(...inside, 'touch', '/tmp/file'), /Read-only file system/);
  const forward = await forwardTo(namespace, 'hearth-site', 80);
  try {
    const url = `http://127.0.0.1:${forward.port}`;
    await until(`${url} answers`, () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    for (const [path, text] of [
      ['/', 'Hearth'],
      ['/docs/user-guide/deployment', 'k3s, step by step'],
      ['/api/', '/v1/mediaItems'],
    ] as const) {
      const answer = await fetch(`${url}${path}`);
      assert.equal(answer.status, 200, path);
      assert.ok((await answer.text()).includes(text), path);
    }
  } finally {
    forward.close();
  }
  say('the guide is beside the library');
};

/** Upgrades to a version with one more migration, rolls back, and upgrades again. */
const upgradeAndBack = async (library: Library): Promise<void> => {
  const { reader, address, publishNextVersion, say, person } = library;
  publishNextVersion();
  await reader.follow(upgrade, 'git pull');
  await takeTag(library, await reader.run('echo "$TAG"'));
  await reader.follow(upgrade, 'docs/Dockerfile');
  await reader.follow(upgrade, 'helm upgrade');
  await untilOpen(address);
  assert.match(imageOf('hearth-api'), new RegExp(`:${reader.own.tag}$`));
  // Old pods may still be terminating.
  const oldestFirst = ['-l', 'app.kubernetes.io/component=api', '--sort-by=.metadata.creationTimestamp'];
  const pods = kubectl('-n', namespace, 'get', 'pods', ...oldestFirst, '-o', 'name')
    .trim()
    .split('\n');
  const migrated = kubectl('-n', namespace, 'logs', pods.at(-1) ?? '', '-c', 'migrate');
  assert.match(migrated, /9000_next_version/);
  say('upgraded');
  await reader.run(`helm rollback hearth -n ${namespace} --wait`);
  await untilOpen(address);
  assert.ok(!imageOf('hearth-api').endsWith(`:${reader.own.tag}`));
  const items = await address.getJson<MediaItem[]>('/v1/mediaItems', await address.signIn(person));
  assert.equal(items.length, 2);
  say('rolled back');
  await reader.follow(upgrade, 'helm upgrade');
  await untilOpen(address);
};

const imageOf = (name: string): string =>
  kubectl('-n', namespace, 'get', 'deployment', name, '-o', 'jsonpath={.spec.template.spec.containers[0].image}');

/** Takes a backup, deletes everything on the cluster, and restores. */
const loseAndRestore = async (library: Library): Promise<void> => {
  const { reader, address, say, person } = library;
  const before = await readLibrary(address, person);
  assert.equal(before.items.length, 2);
  await reader.openNewShell();
  await reader.follow(backup, 'pg_dump');
  const copying = await reader.leaveRunning(backup, 'port-forward');
  await reader.follow(backup, 'RCLONE_CONFIG_HEARTH_TYPE');
  await reader.follow(backup, 'rclone copy hearth:hearth');
  await reader.follow(backup, '> hearth-secrets.json');
  await copying.end();
  say('saved');
  await reader.run(`helm uninstall hearth -n ${namespace} --wait`);
  await reader.follow(values, 'delete pvc');
  kubectl('delete', 'namespace', namespace, '--timeout=300s');
  say('lost');
  await reader.openNewShell();
  await reader.follow(backup, 'kubectl create namespace');
  const restoring = await reader.leaveRunning(backup, 'port-forward');
  await reader.follow(backup, 'RCLONE_CONFIG_HEARTH_TYPE');
  await reader.follow(backup, 'pg_restore');
  await restoring.end();
  await reader.follow(backup, 'hearth orphans');
  await untilOpen(address);
  assert.deepEqual(await readLibrary(address, person), before);
  say('restored');
};
