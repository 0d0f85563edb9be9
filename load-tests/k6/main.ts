import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { admin, adminVariables, runHearth, makeStartOptions } from '@hearth/testkit/hearth/hearth.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { type KnownInstallation, readAdmin } from '@hearth/testkit/hearth/knownInstallation.ts';
import { parseLoadName } from './loads.ts';
import { photoKinds, prepareLoadPhotos, type PhotoKind } from './loadPhotos.ts';
import { archiveK6, runK6, type K6Options } from './runK6.ts';
import { fillSearchedLibraries, toyModelVariables } from './searchedLibraries.ts';

/*
 * npm run load -- NAME [--url https://photos.example.org --rate 5 --seconds 60 --slowness 2 --photos small --report
 * FOLDER]: runs a k6 script against an installation and removes its data afterwards. Without `--url` it starts an
 * installation like `npm start`.
 * HEARTH_ADMIN_USERNAME and HEARTH_ADMIN_PASSWORD are the administrator's credentials. Exits with 99 if a threshold is
 * missed, as k6 does.
 *
 *   --kubernetes http://127.0.0.1:8001 --namespace hearth   makes `spike` count the workers of a cluster through `kubectl proxy`
 *   --archive FILE                                          writes an archive for k6-operator instead
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    rate: { type: 'string' },
    seconds: { type: 'string' },
    slowness: { type: 'string' },
    photos: { type: 'string', default: 'phone' },
    report: { type: 'string', default: join(import.meta.dirname, 'reports') },
    kubernetes: { type: 'string' },
    namespace: { type: 'string', default: 'hearth' },
    archive: { type: 'string' },
  },
});

/** Items per searched library, if the run starts its own installation. */
const searchedItems = 20_000;

const runOn = async (
  installation: KnownInstallation,
  photos: readonly string[],
  searchUsers?: readonly Credentials[],
): Promise<number> => {
  const { kubernetes: kubernetesUrl, namespace } = values;
  const reportFolder = resolve(values.report);
  await mkdir(reportFolder, { recursive: true });
  const kubernetes = kubernetesUrl === undefined ? undefined : { url: kubernetesUrl, namespace };
  const options: K6Options = {
    ...installation,
    load,
    photos,
    rate,
    seconds,
    slowness,
    reportFolder,
    kubernetes,
    searchUsers,
  };
  const { code } = await runK6(options, (text) => process.stdout.write(text));
  console.log(`\nReport: ${join(reportFolder, `${load}.md`)}`);
  return code ?? 1;
};

const runOnNewInstallation = async (photos: readonly string[]): Promise<number> => {
  const directory = await makeFolder('load');
  const env = { ...makeStartOptions(), ...adminVariables, ...(load === 'search' && toyModelVariables()) };
  const hearth = await runHearth({ directory, env });
  try {
    const installation = { url: hearth.url, admin };
    const searchUsers =
      load === 'search' ? await fillSearchedLibraries(installation, directory, searchedItems) : undefined;
    return await runOn(installation, photos, searchUsers);
  } finally {
    await hearth.stop();
    await removeFolder(directory);
  }
};

const isPhotoKind = (text: string): text is PhotoKind => (photoKinds as readonly string[]).includes(text);

const { rate, seconds, slowness } = values;
const load = parseLoadName(positionals[0]);
if (!isPhotoKind(values.photos)) throw new Error(`--photos ${values.photos}: expected ${photoKinds.join(' or ')}`);
const photos = await prepareLoadPhotos(values.photos, console.log);
if (values.archive !== undefined) {
  const { code, output } = await archiveK6({ load, photos, rate, seconds, slowness }, resolve(values.archive));
  if (code !== 0) console.error(output);
  process.exitCode = code ?? 1;
} else {
  process.exitCode =
    values.url === undefined
      ? await runOnNewInstallation(photos)
      : await runOn({ url: values.url, admin: readAdmin() }, photos);
}
