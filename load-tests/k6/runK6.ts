import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';
import { readTimeline } from './timeline.ts';
import { drawTimeline, drawLatencies, type Measured } from './drawReport.ts';
import type { LoadName } from './loads.ts';

/** Options of a k6 run. */
export interface K6Options extends KnownInstallation {
  readonly load: LoadName;
  readonly photos: readonly string[];
  /** Maximum iterations per second. The script has its own default. */
  readonly rate?: string | undefined;
  /** Duration of the load. The script has its own default. */
  readonly seconds?: string | undefined;
  /** Factor for the latency bounds, to relax them on a slow machine. */
  readonly slowness?: string | undefined;
  /** Users for the `search` load. Their libraries have embeddings. By default the script creates its own users. */
  readonly searchUsers?: readonly Credentials[] | undefined;
  /** An existing folder for the reports. */
  readonly reportFolder?: string | undefined;
  /** Address of `kubectl proxy` for the cluster under load, and Hearth's namespace. */
  readonly kubernetes?: { readonly url: string; readonly namespace: string } | undefined;
}

/** Exit code and output of k6. The code is 99 if a threshold was missed. */
export interface K6Result {
  readonly code: number | null;
  readonly output: string;
}

const getScript = (load: LoadName): string => join(import.meta.dirname, 'scripts', `${load}.ts`);

/** Environment variables for the amount of load. */
const loadVariables = ({ photos, rate, seconds, slowness }: ArchiveOptions): Record<string, string> =>
  removeUndefined({
    HEARTH_LOAD_PHOTOS: photos.join(),
    HEARTH_LOAD_RATE: rate,
    HEARTH_LOAD_SECONDS: seconds,
    HEARTH_LOAD_SLOWNESS: slowness,
  });

/** All environment variables of a script. */
const k6Variables = (options: K6Options): Record<string, string> => {
  const { url, admin, searchUsers, reportFolder, kubernetes } = options;
  return removeUndefined({
    ...loadVariables(options),
    HEARTH_URL: url,
    HEARTH_ADMIN_USERNAME: admin.username,
    HEARTH_ADMIN_PASSWORD: admin.password,
    HEARTH_LOAD_SEARCHED: searchUsers && JSON.stringify(searchUsers),
    HEARTH_LOAD_REPORT: reportFolder,
    HEARTH_KUBERNETES_URL: kubernetes?.url,
    HEARTH_NAMESPACE: kubernetes?.namespace,
  });
};

const removeUndefined = (variables: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter((each): each is [string, string] => each[1] !== undefined));

/** Runs a script and streams its output to `log`. Appends latency charts, and for `spike` a timeline, to the report. */
export const runK6 = async (options: K6Options, log: (text: string) => void): Promise<K6Result> => {
  const { load, reportFolder } = options;
  if (reportFolder === undefined) return runFile(getScript(load), k6Variables(options), log);
  const points = join(reportFolder, `${load}.points.json`);
  const more = load === 'spike' ? ['--out', `json=${points}`] : [];
  const result = await runFile(getScript(load), k6Variables(options), log, more);
  const addPicture = async (name: string, description: string, svg: string): Promise<void> => {
    await writeFile(join(reportFolder, name), svg);
    await appendFile(join(reportFolder, `${load}.md`), `\n![${description}](${name})\n`);
  };
  const summary = join(reportFolder, `${load}.json`);
  // k6 writes no summary if the script could not start.
  if (existsSync(summary)) {
    const measured = JSON.parse(await readFile(summary, 'utf8')) as Measured;
    await addPicture(`${load}.svg`, 'Latencies', await drawLatencies(`${load}: latencies`, measured));
  }
  if (existsSync(points)) {
    await addPicture(
      'spike-timeline.svg',
      'Timeline of the burst',
      await drawTimeline('spike: timeline of the burst', await readTimeline(points)),
    );
    await rm(points);
  }
  return result;
};

/** Runs a script or an archive with the given environment variables. */
export const runFile = (
  file: string,
  variables: Readonly<Record<string, string>>,
  log: (text: string) => void,
  more: readonly string[] = [],
): Promise<K6Result> => spawnK6(['run', '--quiet', ...more, file], variables, log);

/**
 * Options stored in an archive: k6 computes the duration and the thresholds when it creates the archive, not when it
 * runs. Passwords are not stored.
 */
export type ArchiveOptions = Pick<K6Options, 'load' | 'photos' | 'rate' | 'seconds' | 'slowness'>;

/** Packs a script and its files into one archive that k6 can run anywhere. */
export const archiveK6 = (options: ArchiveOptions, file: string): Promise<K6Result> => {
  const settings = Object.entries(loadVariables(options)).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return spawnK6(['archive', '-O', file, ...settings, getScript(options.load)], {}, () => undefined);
};

const spawnK6 = async (
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  log: (text: string) => void,
): Promise<K6Result> => {
  const { PATH, HOME, SSL_CERT_FILE } = process.env;
  // k6 sends usage reports unless this is set.
  const env = {
    PATH,
    HOME,
    K6_NO_USAGE_REPORT: 'true',
    ...(SSL_CERT_FILE !== undefined && { SSL_CERT_FILE }),
    ...variables,
  };
  const child = spawn(toolPath('k6'), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      log(text);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
};
