import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** An environment variable. `read` throws an Error that names the expected format. */
interface Variable<Value> {
  readonly name: `HEARTH_${string}`;
  /** One sentence for `--help`. */
  readonly description: string;
  /** Default as `--help` shows it. */
  readonly default: string;
  /** True for a secret: it may also be read from the file in `<NAME>_FILE` and is never printed. */
  readonly secret?: boolean;
  readonly read: (text: string | undefined) => Value;
}

const variable = <Value>(definition: Variable<Value>): Variable<Value> => definition;

/** Folder where Kubernetes mounts the CA, token and namespace of a pod. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns every variable of the operator, in the order of `--help`. */
export const operatorVariables = (env: NodeJS.ProcessEnv) => {
  const host = env['KUBERNETES_SERVICE_HOST'];
  // The host is an IP address; an IPv6 address has colons.
  const inCluster =
    host && `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] ?? 443}`;
  return {
    kubernetesUrl: variable({
      name: 'HEARTH_KUBERNETES_URL',
      description: 'URL of the API server, such as http://127.0.0.1:8001 with kubectl proxy',
      default: 'the cluster that the operator runs in',
      read: (text = inCluster) => requireMatch(text, /^https?:\/\/[^\s/]+\/?$/, 'https://host:port'),
    }),
    kubernetesCaFile: variable({
      name: 'HEARTH_KUBERNETES_CA_FILE',
      description: "PEM file of the CA that signs the API server's certificate",
      default: 'the file of the service account; none if HEARTH_KUBERNETES_URL is set',
      read: (text) => text ?? (env['HEARTH_KUBERNETES_URL'] ? undefined : `${serviceAccount}/ca.crt`),
    }),
    kubernetesTokenFile: variable({
      name: 'HEARTH_KUBERNETES_TOKEN_FILE',
      description: 'File of the token for the API server, read again for each request',
      default: 'the file of the service account; none if HEARTH_KUBERNETES_URL is set',
      read: (text) => text ?? (env['HEARTH_KUBERNETES_URL'] ? undefined : `${serviceAccount}/token`),
    }),
    watchSilenceSeconds: variable({
      name: 'HEARTH_WATCH_SILENCE_SECONDS',
      description:
        'Seconds without data after which a watch is restarted; the API server sends a bookmark about once a minute',
      default: '90',
      read: (text = '90') => parseInteger(text, 1, 86_400),
    }),
    namespace: variable({
      name: 'HEARTH_NAMESPACE',
      description: 'Namespace of the QueueScalers and their Deployments',
      default: 'the namespace that the operator runs in',
      read: (text = readIfExists(`${serviceAccount}/namespace`)) =>
        requireMatch(text, /^[a-z0-9-]{1,63}$/, 'a namespace'),
    }),
    redisUrl: variable({
      name: 'HEARTH_REDIS_URL',
      description: 'Redis or Valkey of QueueScalers without spec.redis, as redis://user:password@host:6379/0',
      default: 'none',
      secret: true,
      read: (text) => (text === undefined ? undefined : requireMatch(text, /^rediss?:\/\//, 'redis://… or rediss://…')),
    }),
    leaseName: variable({
      name: 'HEARTH_LEASE_NAME',
      description: 'Name of the Lease for leader election',
      default: 'hearth-queue-scaler',
      read: (text = 'hearth-queue-scaler') => requireMatch(text, /^[a-z0-9.-]{1,253}$/, 'the name of a Lease'),
    }),
    name: variable({
      name: 'HEARTH_POD_NAME',
      description: 'Name of this replica in the Lease',
      default: 'the host name',
      read: (text = hostname()) => text,
    }),
    host: variable({
      name: 'HEARTH_METRICS_HOST',
      description: 'Address of /metrics, /livez and /readyz, which have no password',
      default: '127.0.0.1',
      read: (text = '127.0.0.1') => text,
    }),
    port: variable({
      name: 'HEARTH_METRICS_PORT',
      description: 'Port of /metrics, /livez and /readyz; 0 selects a free port',
      default: '9464',
      read: (text = '9464') => parseInteger(text, 0, 65_535),
    }),
    logLevel: variable({
      name: 'HEARTH_LOG_LEVEL',
      description: 'Lowest level to log: debug, info, warn or error',
      default: 'info',
      read: (text = 'info') => requireMatch(text, /^(debug|info|warn|error)$/, 'debug, info, warn or error'),
    }),
  };
};

type Table = ReturnType<typeof operatorVariables>;

export type Config = { readonly [Key in keyof Table]: ReturnType<Table[Key]['read']> };

/** Exit code for an invalid configuration: EX_CONFIG of sysexits.h. */
const invalidConfiguration = 78;

/** Handles `--help`. Otherwise reads the configuration, and exits with a list of all problems if it is invalid. */
export const configureProcess = (): Config => {
  const table = operatorVariables(process.env);
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(
      `hearth-queue-scaler: scales Deployments by the length of their BullMQ queues.\n\nEnvironment variables:\n${describe(table)}\n`,
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
  process.stderr.write(`The configuration is invalid:\n${problems.join('\n')}\nRun with --help for all variables.\n`);
  process.exit(invalidConfiguration);
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
  if (env[name]) throw new Error(`${name}_FILE is also set: set only one of them`);
  const text = readIfExists(file);
  if (text === undefined) throw new Error(`the file in ${name}_FILE cannot be read`);
  return text;
};

const readIfExists = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
};

/** Checks the format. The message does not contain the value, which may be a secret. */
const requireMatch = (text: string | undefined, pattern: RegExp, expected: string): string => {
  if (text === undefined || !pattern.test(text))
    throw new Error(`expected ${expected}${text === undefined ? ', but it is not set' : ''}`);
  return text;
};

const parseInteger = (text: string, min: number, max: number): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`expected an integer from ${min} to ${max}`);
};
