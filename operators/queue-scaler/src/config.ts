import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** An environment variable. `read` throws an Error that says what was expected. */
interface Variable<Value> {
  readonly name: `HEARTH_${string}`;
  /** One sentence for `--help`. */
  readonly description: string;
  /** How the default reads in `--help`. */
  readonly default: string;
  /** A secret may also come from the file that `<NAME>_FILE` names, and is never shown. */
  readonly secret?: boolean;
  readonly read: (text: string | undefined) => Value;
}

const variable = <Value>(definition: Variable<Value>): Variable<Value> => definition;

/** Where Kubernetes puts what a pod needs to reach the API server. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

const variables = (env: NodeJS.ProcessEnv) => {
  const host = env['KUBERNETES_SERVICE_HOST'];
  // Named by its address, which for IPv6 has colons.
  const inCluster =
    host && `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] ?? 443}`;
  return {
    kubernetesUrl: variable({
      name: 'HEARTH_KUBERNETES_URL',
      description: 'API server; http://127.0.0.1:8001 where kubectl proxy runs',
      default: 'that of the cluster it runs in',
      read: (text = inCluster) => matching(text, /^https?:\/\/[^\s/]+\/?$/, 'https://host:port'),
    }),
    kubernetesCaFile: variable({
      name: 'HEARTH_KUBERNETES_CA_FILE',
      description: "PEM file of the authority that signs the API server's certificate",
      default: 'that of the service account; none beside HEARTH_KUBERNETES_URL',
      read: (text) => text ?? (env['HEARTH_KUBERNETES_URL'] ? undefined : `${serviceAccount}/ca.crt`),
    }),
    kubernetesTokenFile: variable({
      name: 'HEARTH_KUBERNETES_TOKEN_FILE',
      description: 'File of the token for the API server, read again for each request',
      default: 'that of the service account; none beside HEARTH_KUBERNETES_URL',
      read: (text) => text ?? (env['HEARTH_KUBERNETES_URL'] ? undefined : `${serviceAccount}/token`),
    }),
    watchSilenceSeconds: variable({
      name: 'HEARTH_WATCH_SILENCE_SECONDS',
      description: 'After so long without a byte a watch is begun anew; the API server writes about once a minute',
      default: '90',
      read: (text = '90') => integerOf(text, 1, 86_400),
    }),
    namespace: variable({
      name: 'HEARTH_NAMESPACE',
      description: 'Namespace of the QueueScalers and their Deployments',
      default: 'the one it runs in',
      read: (text = readIfThere(`${serviceAccount}/namespace`)) => matching(text, /^[a-z0-9-]{1,63}$/, 'a namespace'),
    }),
    redisUrl: variable({
      name: 'HEARTH_REDIS_URL',
      description: 'Redis or Valkey of QueueScalers that name none, as redis://user:password@host:6379/0',
      default: 'none',
      secret: true,
      read: (text) => (text === undefined ? undefined : matching(text, /^rediss?:\/\//, 'redis://… or rediss://…')),
    }),
    leaseName: variable({
      name: 'HEARTH_LEASE_NAME',
      description: 'Lease by which one of several replicas is elected',
      default: 'hearth-queue-scaler',
      read: (text = 'hearth-queue-scaler') => matching(text, /^[a-z0-9.-]{1,253}$/, 'the name of a Lease'),
    }),
    name: variable({
      name: 'HEARTH_POD_NAME',
      description: 'What this replica is called in the Lease',
      default: "the machine's name",
      read: (text = hostname()) => text,
    }),
    host: variable({
      name: 'HEARTH_HOST',
      description: 'Address to listen on for metrics and probes',
      default: '127.0.0.1',
      read: (text = '127.0.0.1') => text,
    }),
    port: variable({
      name: 'HEARTH_METRICS_PORT',
      description: 'Port of /metrics, /livez and /readyz; 0 takes a free one',
      default: '9464',
      read: (text = '9464') => integerOf(text, 0, 65_535),
    }),
    logLevel: variable({
      name: 'HEARTH_LOG_LEVEL',
      description: 'Least important messages to log: debug, info, warn or error',
      default: 'info',
      read: (text = 'info') => matching(text, /^(debug|info|warn|error)$/, 'debug, info, warn or error'),
    }),
  };
};

type Table = ReturnType<typeof variables>;

/** What the environment says. */
export type Config = { readonly [Key in keyof Table]: ReturnType<Table[Key]['read']> };

/** How the process ends where it cannot be started, from sysexits.h: its supervisor need not try again. */
const badConfiguration = 78;

/** Answers `--help`, and reads the configuration; ends the process, with all problems named, where that is not possible. */
export const configureProcess = (): Config => {
  const table = variables(process.env);
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(
      `hearth-queue-scaler: workers that follow their queues.\n\nEnvironment variables:\n${describe(table)}\n`,
    );
    process.exit(0);
  }
  const problems: string[] = [];
  const entries = Object.entries(table).map(([key, each]) => {
    try {
      return [key, each.read(readText(each, process.env))];
    } catch (error) {
      problems.push(`  - ${each.name}: ${(error as Error).message}`);
      return [key, undefined];
    }
  });
  if (problems.length === 0) return Object.fromEntries(entries) as Config;
  process.stderr.write(
    `The configuration is not usable:\n${problems.join('\n')}\nRun with --help for all variables.\n`,
  );
  process.exit(badConfiguration);
};

const describe = (table: Table): string =>
  Object.values<Variable<unknown>>(table)
    .map(({ name, description, default: fallback, secret }) => {
      const names = secret ? `${name}, ${name}_FILE` : name;
      return `  ${names}\n      ${description} (default: ${fallback})`;
    })
    .join('\n');

const readText = ({ name, secret }: Variable<unknown>, env: NodeJS.ProcessEnv): string | undefined => {
  const file = secret ? env[`${name}_FILE`] : undefined;
  if (!file) return env[name] || undefined;
  if (env[name]) throw new Error(`${name}_FILE is set too: set one of them`);
  const text = readIfThere(file);
  if (text === undefined) throw new Error(`the file that ${name}_FILE names cannot be read`);
  return text;
};

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
};

/** Never says what it found: it may be a secret. */
const matching = (text: string | undefined, pattern: RegExp, what: string): string => {
  if (text === undefined || !pattern.test(text))
    throw new Error(`expected ${what}${text === undefined ? ', and found nothing' : ''}`);
  return text;
};

const integerOf = (text: string, least: number, most: number): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`expected an integer from ${least} to ${most}`);
};
