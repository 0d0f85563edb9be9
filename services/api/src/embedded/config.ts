import { logLevel } from '@hearth/core/commonConfig.ts';
import type { Variable } from '@hearth/core/config.ts';
import { workerVariables } from '@hearth/core/workerConfig.ts';
import { apiVariables } from '../config.ts';

/** The variables of `npm start`: those of the API and of its worker, of which none must be set, and quieter on the terminal. */
export const embeddedVariables = (env: NodeJS.ProcessEnv) => {
  const variables = { ...workerVariables(env), ...apiVariables(env) };
  return {
    ...variables,
    databaseUrl: optional(variables.databaseUrl, 'a database of its own in the data directory'),
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

const madeOnce = 'made at the first start, kept in <data>/secrets.json';
