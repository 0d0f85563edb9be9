import { ConfigError, describeConfig, readConfig, type ConfigOf, type ConfigTable } from './config.ts';

/** The exit code of a process that cannot be started, from sysexits.h: its supervisor need not try again. */
export const exitCodes = { badConfiguration: 78 } as const;

/** The oldest Node that runs this code: type stripping without a flag or a warning, and `using` declarations. */
const oldestNode = [24, 12] as const;

/**
 * The first thing a process does: refuses a Node that is too old, answers `--help`, and reads its configuration from the
 * environment. Ends the process, with all problems named, when that is not possible.
 */
export const configureProcess = <Table extends ConfigTable>(
  purpose: string,
  variables: (env: NodeJS.ProcessEnv) => Table,
): ConfigOf<Table> => {
  requireNode(process.versions.node);
  const table = variables(process.env);
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(`${purpose}\n\nEnvironment variables:\n${describeConfig(table)}\n`);
    process.exit(0);
  }
  try {
    return readConfig(table, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\nRun with --help for all variables.\n`);
    process.exit(exitCodes.badConfiguration);
  }
};

/** Variables that look like ours and that no process here knows, such as a misspelt name. */
export const findUnknownVariables = (variables: (env: NodeJS.ProcessEnv) => ConfigTable): string[] => {
  const known = new Set(Object.values(variables(process.env)).flatMap(({ name }) => [name, `${name}_FILE`]));
  return Object.keys(process.env).filter((name) => name.startsWith('HEARTH_') && !known.has(name));
};

/** The variables of the system that a child gets besides its own: paths, language, time zone, certificates and proxies. */
const systemVariables =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|XDG_\w+|INIT_CWD|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|https?_proxy|no_proxy)$/i;

/**
 * The environment of a child: from this process the variables of its own table and those of the system, and no others, such as the administrator's
 * password. `overrides` take precedence, also over a `*_FILE`.
 */
export const childEnvironment = (
  variables: (env: NodeJS.ProcessEnv) => ConfigTable,
  overrides: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv => {
  const names = Object.values(variables(process.env)).map(({ name }) => name);
  const own = new Set<string>([...names, ...names.map((name) => `${name}_FILE`)]);
  const files = new Set(Object.keys(overrides).map((name) => `${name}_FILE`));
  const inherited = Object.entries(process.env).filter(
    ([name]) => (own.has(name) || systemVariables.test(name)) && !files.has(name),
  );
  return { ...Object.fromEntries(inherited), ...overrides };
};

/** The environment, for the `proxyEnv` of an agent of `node:http`. */
export const proxyEnvironment = (): NodeJS.ProcessEnv => process.env;

/** Ends the process where `version` is older than this code needs. */
export const requireNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  process.stderr.write(
    `Hearth needs Node.js ${oldestNode.join('.')} or newer and was started with ${version}. ` +
      'Start it with npm (npm start), which uses the version that comes with the project.\n',
  );
  process.exit(1);
};
