import { logLevel } from '@hearth/core/config/commonConfig.ts';
import type { Variable } from '@hearth/core/config/config.ts';
import { workerVariables } from '@hearth/core/config/workerConfig.ts';
import { apiVariables } from '../config/config.ts';

/** Variables of `npm start`: those of the API and its worker, all optional, with a quieter log. */
export const embeddedVariables = (env: NodeJS.ProcessEnv) => {
  const isApiPort = (port: number): boolean => port > 0 && port === Number(env['HEARTH_PORT'] || 5001);
  const variables = { ...workerVariables(env), ...apiVariables(env) };
  return {
    ...variables,
    databaseUrl: optional(variables.databaseUrl, 'an embedded database in the data directory'),
    databaseDirectUrl: {
      ...variables.databaseDirectUrl,
      schema: variables.databaseDirectUrl.schema.refine(
        (url) => url === undefined || Boolean(env['HEARTH_DATABASE_URL'] || env['HEARTH_DATABASE_URL_FILE']),
        { error: 'requires HEARTH_DATABASE_URL' },
      ),
    },
    metricsPort: {
      ...variables.metricsPort,
      description: "Port of the API's metrics; the worker's metrics use the next port; 0 turns both off",
      schema: variables.metricsPort.schema.refine((port) => port < 65_535 && !isApiPort(port) && !isApiPort(port + 1), {
        error: 'expected a port; this port and the next one must differ from HEARTH_PORT',
      }),
    },
    adminPassword: optional(variables.adminPassword, madeOnce),
    tokenSecret: optional(variables.tokenSecret, madeOnce),
    linkSecret: optional(variables.linkSecret, madeOnce),
    logLevel: { ...variables.logLevel, schema: logLevel('warn'), default: 'warn' },
  };
};

const optional = <Value>(variable: Variable<Value>, fallback: string): Variable<Value | undefined> => ({
  ...variable,
  schema: variable.schema.optional(),
  default: fallback,
});

const madeOnce = 'generated at the first start, stored in <data>/secrets.json';
