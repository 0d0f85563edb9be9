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
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { getMediaPath } from '../../media/manifest.ts';
import { openForward } from '../forward.ts';
import { missingRequirements } from './missingRequirements.ts';
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

suite('following the user guide on a cluster', { skip: missingRequirements }, () => {
  test('builds, installs, uses, upgrades, backs up, loses and restores a library', async (t) => {
    assert.equal(
      kubectl('get', 'namespace', namespace, '--ignore-not-found'),
      '',
      `the namespace ${namespace} already exists`,
    );
    const library = await openLibrary(t);
    await install(library);
    await runLoads(library);
    await setUpPublicAddress(library);
    await share(library);
    await addSite(library);
    await upgradeAndRollBack(library);
    await deleteAndRestore(library);
    assert.deepEqual(library.reader.notFollowed(), []);
  });
});

/** State of the library while the guide is followed, and its user. */
interface GuideLibrary {
  readonly reader: Reader;
  readonly address: PublicAddress;
  /** Commits a newer version, which the reader can fetch. */
  readonly publishNextVersion: () => void;
  readonly say: (line: string) => void;
  person: Credentials;
}

const openLibrary = async (t: TestContext): Promise<GuideLibrary> => {
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
  const log = (line: string): void =>
    console.log(`${((performance.now() - begin) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
  return {
    reader,
    address,
    publishNextVersion: origin.publishNextVersion,
    say: log,
    person: { username: '', password: '' },
  };
};

/** From the sources to the first photo, through a port-forward. */
const install = async (library: GuideLibrary): Promise<void> => {
  const { reader, say: log } = library;
  await reader.follow(deployment, 'git clone');
  log('cloned');
  await readTag(library, await reader.follow(deployment, 'services/api/Dockerfile'));
  await reader.addValues(deployment, 'worker: { image: { tag: mine-');
  log(await reader.follow(deployment, 'helm install'));
  await reader.follow(deployment, 'helm test');
  log('installed and tested');
  const forward = await reader.leaveRunning(deployment, 'port-forward');
  const [adminPassword = ''] = forward.output().split('\n');
  reader.settings = { ...reader.settings, adminPassword };
  const url = `http://127.0.0.1:${reader.settings.ports.library}`;
  library.person = await createUser(url, { username: 'admin', password: adminPassword });
  for (const [name, path] of Object.entries(photos))
    copyFileSync(getMediaPath(path), join(reader.folder, 'hearth', name));
  const watch = await reader.leaveRunning(deployment, 'get queuescalers --watch');
  await signIn(library, url);
  await reader.follow(terminal, `-F 'file=@photo.jpg'`);
  await watch.untilPrinted(/hearth-worker-media +0 +4 +[1-4] /);
  log('the first photo is uploaded, and a worker has started');
  await watch.end();
  await forward.end();
};

/** Writes the tag printed at the end of the build into `values.yaml`. */
const readTag = async ({ reader, say: log }: GuideLibrary, output: string): Promise<void> => {
  const tag = output.trim().split('\n').at(-1) ?? '';
  assert.match(tag, /^mine-\d{8}-\d{4}$/);
  reader.settings = { ...reader.settings, tag };
  log(`built ${tag}`);
};

const signIn = async ({ reader, person }: GuideLibrary, url: string): Promise<void> => {
  await reader.run(`URL='${url}' PASSWORD='${person.password}'`);
  await reader.follow(terminal, '/v1/auth/login');
};

/** Runs the load tests while the library is only reachable by port-forward. */
const runLoads = async ({ reader, say: log }: GuideLibrary): Promise<void> => {
  const forward = await reader.leaveRunning(loadTests, 'port-forward');
  await reader.follow(loadTests, 'npm run stories -- --url');
  log('the stories passed');
  log(await reader.follow(loadTests, 'npm run load -- spike'));
  await forward.end();
};

/** Adds the public address. All links use it from then on. */
const setUpPublicAddress = async (library: GuideLibrary): Promise<void> => {
  const { reader, address, say: log } = library;
  const { cert, key } = address.certificate;
  await reader.addValues(deployment, 'className: traefik');
  await reader.run(`kubectl -n ${namespace} create secret tls photos-tls --cert=${cert} --key=${key}`);
  await reader.follow(deployment, 'helm upgrade');
  await address.open();
  await waitUntilReachable(address);
  await signIn(library, address.url);
  await reader.follow(terminal, `-F 'file=@scan.jpg'`);
  await reader.follow(terminal, 'thumbnail.webp');
  const id = (await reader.run('echo "$ITEM"')).trim();
  const token = await address.signIn(library.person);
  const item = await address.getJson<MediaItemDetails>(`/v1/mediaItems/${id}`, token);
  await assertShown(address, item.thumbnailUrl);
  log('a photo has its thumbnail at the public address');
};

/** Resolves when the library responds at its address. The forward restarts whenever a pod is replaced. */
const waitUntilReachable = async (address: PublicAddress): Promise<void> => {
  const isOpen = (): Promise<boolean> =>
    address.get(`${address.url}/readyz`).then(
      (response) => response.includes('"ok"'),
      () => false,
    );
  await waitFor(`${address.url} responds`, isOpen, { timeoutMs: 120_000, everyMs: 500 });
};

/** Checks that a link from the API returns a picture. */
const assertShown = async (address: PublicAddress, link: string | undefined): Promise<void> => {
  assert.ok(link !== undefined && link.startsWith(`${address.url}/`), `${link}`);
  assert.equal((await address.get(link)).toString('latin1', 8, 12), 'WEBP');
};

const share = async ({ reader, address, say: log }: GuideLibrary): Promise<void> => {
  await reader.follow(albums, '"name":"Norway 2022"');
  await reader.follow(albums, '{"shared":true}');
  const share = (await reader.run('echo "$SHARE"')).trim();
  const items = await address.getJson<SharedMediaItem[]>(`/v1/sharing/${share}/mediaItems`);
  assert.equal(items.length, 1);
  await assertShown(address, items[0]?.thumbnailUrl);
  assert.match((await address.get(`${address.url}/s/${share}`)).toString(), /<html/);
  log('a visitor sees a shared album');
};

/** Adds the documentation site. From here on the namespace enforces the restricted pod standard. */
const addSite = async (library: GuideLibrary): Promise<void> => {
  const { reader, say: log } = library;
  kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted');
  const before = reader.settings;
  await readTag(library, await reader.follow(deployment, 'docs/Dockerfile'));
  await reader.addValues(deployment, 'docs.example.org');
  reader.settings = before;
  await reader.follow(deployment, 'helm upgrade');
  kubectl('-n', namespace, 'rollout', 'status', 'deployment/hearth-site', '--timeout=180s');
  const inside = ['-n', namespace, 'exec', 'deploy/hearth-site', '--'];
  assert.equal(kubectl(...inside, 'id', '-u').trim(), '65532');
  assert.throws(() => kubectl(...inside, 'touch', '/tmp/file'), /Read-only file system/);
  const forward = await openForward(namespace, 'hearth-site', 80);
  try {
    const url = `http://127.0.0.1:${forward.port}`;
    await waitFor(`${url} responds`, () =>
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
      const response = await fetch(`${url}${path}`);
      assert.equal(response.status, 200, path);
      assert.ok((await response.text()).includes(text), path);
    }
  } finally {
    forward.close();
  }
  log('the documentation site is served next to the library');
};

/** Upgrades to a version with one more migration, rolls back, and upgrades again. */
const upgradeAndRollBack = async (library: GuideLibrary): Promise<void> => {
  const { reader, address, publishNextVersion, say: log, person } = library;
  publishNextVersion();
  await reader.follow(upgrade, 'git pull');
  await readTag(library, await reader.run('echo "$TAG"'));
  await reader.follow(upgrade, 'docs/Dockerfile');
  await reader.follow(upgrade, 'helm upgrade');
  await waitUntilReachable(address);
  assert.match(getImage('hearth-api'), new RegExp(`:${reader.settings.tag}$`));
  // Old pods may still be terminating.
  const oldestFirst = ['-l', 'app.kubernetes.io/component=api', '--sort-by=.metadata.creationTimestamp'];
  const pods = kubectl('-n', namespace, 'get', 'pods', ...oldestFirst, '-o', 'name')
    .trim()
    .split('\n');
  const migrated = kubectl('-n', namespace, 'logs', pods.at(-1) ?? '', '-c', 'migrate');
  assert.match(migrated, /9000_next_version/);
  log('upgraded');
  await reader.run(`helm rollback hearth -n ${namespace} --wait`);
  await waitUntilReachable(address);
  assert.ok(!getImage('hearth-api').endsWith(`:${reader.settings.tag}`));
  const items = await address.getJson<MediaItem[]>('/v1/mediaItems', await address.signIn(person));
  assert.equal(items.length, 2);
  log('rolled back');
  await reader.follow(upgrade, 'helm upgrade');
  await waitUntilReachable(address);
};

const getImage = (name: string): string =>
  kubectl('-n', namespace, 'get', 'deployment', name, '-o', 'jsonpath={.spec.template.spec.containers[0].image}');

/** Takes a backup, deletes everything on the cluster, and restores. */
const deleteAndRestore = async (library: GuideLibrary): Promise<void> => {
  const { reader, address, say: log, person } = library;
  const before = await readLibrary(address, person);
  assert.equal(before.items.length, 2);
  await reader.openNewShell();
  await reader.follow(backup, 'pg_dump');
  const copying = await reader.leaveRunning(backup, 'port-forward');
  await reader.follow(backup, 'RCLONE_CONFIG_HEARTH_TYPE');
  await reader.follow(backup, 'rclone copy hearth:hearth');
  await reader.follow(backup, '> hearth-secrets.json');
  await copying.end();
  log('saved');
  await reader.run(`helm uninstall hearth -n ${namespace} --wait`);
  await reader.follow(values, 'delete pvc');
  kubectl('delete', 'namespace', namespace, '--timeout=300s');
  log('lost');
  await reader.openNewShell();
  await reader.follow(backup, 'kubectl create namespace');
  const restoring = await reader.leaveRunning(backup, 'port-forward');
  await reader.follow(backup, 'RCLONE_CONFIG_HEARTH_TYPE');
  await reader.follow(backup, 'pg_restore');
  await restoring.end();
  await reader.follow(backup, 'hearth orphans');
  await waitUntilReachable(address);
  assert.deepEqual(await readLibrary(address, person), before);
  log('restored');
};
