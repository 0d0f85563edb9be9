import { databaseVariables } from '@hearth/core/config/commonConfig.ts';
import type { ConfigTable } from '@hearth/core/config/config.ts';
import { workerVariables } from '@hearth/core/config/workerConfig.ts';
import { apiVariables } from '@hearth/api/config/config.ts';
import { embeddedVariables } from '@hearth/api/embedded/config.ts';
import { operatorVariables } from '@hearth/queue-scaler/config.ts';
import { page, table } from './markdown.ts';

/** An environment variable of a process, or of Hearth under `npm start`. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly default?: string | undefined;
  readonly secret?: boolean | undefined;
}

/** Renders the page with all environment variables of all processes. */
export const renderConfigurationPage = (): string => {
  const [api, worker, embedded] = [apiVariables({}), workerVariables({}), embeddedVariables({})].map(byName);
  const names = [...new Set([...api!.keys(), ...worker!.keys()])];
  const both = names.filter((name) => api!.has(name) && worker!.has(name));
  const rows = (chosen: readonly string[]) =>
    chosen.map((name) => {
      const { description, default: fallback, secret } = (api!.get(name) ?? worker!.get(name))!;
      const start = embedded!.get(name);
      return [
        `\`${name}\`${secret ? ', `…_FILE`' : ''}`,
        description,
        defaultOf(fallback),
        start === undefined || start.default === fallback ? '' : defaultOf(start.default),
      ];
    });
  const header = ['variable', 'what it says', 'default', 'with `npm start`, if different'];
  const only = (ours: ReadonlyMap<string, Described>, others: ReadonlyMap<string, Described>) =>
    names.filter((name) => ours.has(name) && !others.has(name));
  const operator = Object.values(operatorVariables({})).map(({ name, description, secret, ...rest }: Described) => [
    `\`${name}\`${secret ? ', `…_FILE`' : ''}`,
    description,
    defaultOf(rest.default),
  ]);
  return page(
    'Configuration',
    [
      'Settings are variables of the environment. With `npm start` none has to be set, and it takes those of the API and of the worker. An empty value counts as not set; a value that makes no sense ends the start (exit code 78), with a',
      'sentence about each. Secrets may also come from a file: `HEARTH_TOKEN_SECRET_FILE` names the file whose content is `HEARTH_TOKEN_SECRET`, and so on. Values of the chart that lead here are in',
      '[its table of values](values.md).',
    ],
    'npm run docs:reference',
    [
      `## API and workers\n\n${table(header, rows(both))}`,
      `## The API alone\n\n${table(header, rows(only(api!, worker!)))}`,
      `## Workers alone\n\n${table(header, rows(only(worker!, api!)))}`,
      `## The operator\n\nOf a cluster; the chart sets them.\n\n${table(['variable', 'what it says', 'default'], operator)}`,
    ],
  );
};

const byName = (variables: ConfigTable): ReadonlyMap<string, Described> =>
  new Map(Object.values(variables).map((each) => [each.name, each]));

const defaultOf = (fallback: string | undefined): string => fallback ?? 'must be set';

/** Returns every variable that the pages must contain. */
export const allVariables = (): readonly string[] => [
  ...new Set(
    [apiVariables({}), workerVariables({}), embeddedVariables({}), databaseVariables, operatorVariables({})].flatMap(
      (variables) => Object.values(variables as Readonly<Record<string, Described>>).map(({ name }) => name),
    ),
  ),
];
