import { ConfigError, describeConfig, readConfig, type ConfigOf, type ConfigTable } from './config.ts';

/** EX_CONFIG of sysexits.h: supervisors should not restart the process. */
export const exitCodes = { badConfiguration: 78 } as const;

/** The oldest Node with type stripping without a flag or warning, and with `using` declarations. */
const oldestNode = [24, 12] as const;

/**
 * Prepares a process, before it does anything else: checks Node's version, handles `--help`, and reads the
 * configuration. Exits with all problems on stderr if the configuration is invalid.
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

/** Returns the names of `HEARTH_*` variables in the environment that the table lacks, such as misspelled ones. */
export const findUnknownVariables = (variables: (env: NodeJS.ProcessEnv) => ConfigTable): string[] => {
  const known = new Set(Object.values(variables(process.env)).flatMap(({ name }) => [name, `${name}_FILE`]));
  return Object.keys(process.env).filter((name) => name.startsWith('HEARTH_') && !known.has(name));
};

/** System variables that a child inherits, such as paths, language, time zone, certificates and proxies. */
const systemVariables =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TZ|LANG|LANGUAGE|LC_\w+|XDG_\w+|INIT_CWD|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|https?_proxy|no_proxy)$/i;

/**
 * Returns the environment for a child: the variables of its own table and the system's, without, for example, the
 * administrator's password. `overrides` take precedence, even over a `*_FILE` variable.
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

/** Returns the environment, for the `proxyEnv` option of a `node:http` agent. */
export const proxyEnvironment = (): NodeJS.ProcessEnv => process.env;

/** Exits if `version` is too old for this code. */
export const requireNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  process.stderr.write(
    `Hearth needs Node.js ${oldestNode.join('.')} or newer but was started with ${version}. ` +
      'Start it with npm (npm start), which uses the version that comes with the project.\n',
  );
  process.exit(1);
};
