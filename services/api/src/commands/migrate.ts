import { commonVariables, databaseVariables } from '@hearth/core/config/commonConfig.ts';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import { apiVariables } from '../config/config.ts';

/*
 * Migrates the database and exits. Runs on a cluster before the API starts. Waits for a database that is not reachable
 * yet. Safe to run several times at once and while an API starts, which also migrates.
 */
const config = configureProcess('hearth-migrate: applies all database migrations and exits.', (env) => ({
  ...databaseVariables,
  logLevel: commonVariables(env).logLevel,
  gitSha: apiVariables(env).gitSha,
}));
const log = createLog('migrate', config.logLevel);
// PID 1 of a container ignores signals that it does not handle. Uncommitted changes are rolled back.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  const migrations = await retryUntilDone(
    log,
    'applying database migrations',
    () => migrate(config.databaseDirectUrl ?? config.databaseUrl, undefined, config.gitSha),
    isDatabaseUnavailable,
  );
  log.info({ migrations }, migrations.length > 0 ? 'applied database migrations' : 'no pending database migrations');
} catch (error) {
  log.fatal({ err: error }, `database migration failed: ${explainFailure(error)}`);
  process.exitCode = 1;
}
