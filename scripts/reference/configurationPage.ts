import { databaseVariables } from '@hearth/core/config/commonConfig.ts';
import type { ConfigTable } from '@hearth/core/config/config.ts';
import { workerVariables } from '@hearth/core/config/workerConfig.ts';
import { apiVariables } from '@hearth/api/config/config.ts';
import { embeddedVariables } from '@hearth/api/embedded/config.ts';
import { operatorVariables } from '@hearth/queue-scaler/config.ts';
import { list, page } from './markdown.ts';

/** An environment variable of a process, or of Hearth under `npm start`. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly default?: string | undefined;
  readonly secret?: boolean | undefined;
}

/** Renders the page with all environment variables of all processes. */
export const renderConfigurationPage = (): string => {
  const [api, worker, embedded] = [apiVariables({}), workerVariables({}), embeddedVariables({})].map(sortByName);
  const names = [...new Set([...api!.keys(), ...worker!.keys()])];
  /** True if the variable means the same for the API and workers. */
  const isShared = (name: string): boolean => {
    const [ofApi, ofWorker] = [api!.get(name), worker!.get(name)];
    return ofApi?.description === ofWorker?.description && ofApi?.default === ofWorker?.default;
  };
  const rows = (chosen: readonly string[], table: ReadonlyMap<string, Described>) =>
    chosen.map((name) => {
      const { description, default: fallback, secret } = table.get(name)!;
      // A variable of this name that means something else for the API has the API's default there.
      const start = table === worker && api!.has(name) ? undefined : embedded!.get(name);
      const embeddedDefault =
        start === undefined || start.default === fallback
          ? ''
          : `; with \`npm start\`: ${formatDefault(start.default)}`;
      return formatEntry({ name, secret, description }, `${formatDefault(fallback)}${embeddedDefault}`);
    });
  const rowsOf = (table: ReadonlyMap<string, Described>) =>
    rows(
      names.filter((name) => table.has(name) && !isShared(name)),
      table,
    );
  const operator = Object.values(operatorVariables({})).map((variable: Described) =>
    formatEntry(variable, formatDefault(variable.default)),
  );
  return page(
    'Configuration',
    [
      'Settings are environment variables. `npm start` needs none, and accepts those of the API and of the worker. An empty value counts as not set. With an invalid value, Hearth does not start (exit code 78) and names it.',
      'A secret can come from a file: `HEARTH_TOKEN_SECRET_FILE` names the file with the value of `HEARTH_TOKEN_SECRET`. Defaults are in parentheses. On a cluster, use the [values of the chart](values.md).',
    ],
    'npm run docs:reference',
    [
      `## API and workers\n\n${list(rows(names.filter(isShared), api!))}`,
      `## The API alone\n\n${list(rowsOf(api!))}`,
      `## Workers alone\n\n${list(rowsOf(worker!))}`,
      `## The operator\n\nOnly on a cluster. The chart sets them.\n\n${list(operator)}`,
    ],
  );
};

/** Returns a list entry with the default value, or a note that it is required. */
const formatEntry = ({ name, secret, description }: Described, fallback: string) =>
  [`\`${name}\`${secret ? ', `…_FILE`' : ''} (${fallback})`, description] as const;

const sortByName = (variables: ConfigTable): ReadonlyMap<string, Described> =>
  new Map(Object.values(variables).map((each) => [each.name, each]));

const formatDefault = (fallback: string | undefined): string => fallback ?? 'must be set';

/** Returns every variable that the pages must contain. */
export const allVariables = (): readonly string[] => [
  ...new Set(
    [apiVariables({}), workerVariables({}), embeddedVariables({}), databaseVariables, operatorVariables({})].flatMap(
      (variables) => Object.values(variables as Readonly<Record<string, Described>>).map(({ name }) => name),
    ),
  ),
];
