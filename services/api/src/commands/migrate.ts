import { commonVariables, databaseVariables } from '@hearth/core/config/commonConfig.ts';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { isDatabaseUnavailable } from '@hearth/core/db/database.ts';
import { migrate } from '@hearth/core/db/migrate.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { retryUntilDone } from '@hearth/core/process/retryUntilDone.ts';
import { apiVariables } from '../config/config.ts';

/*
 * Brings the database up to date and ends: what runs on a cluster before the API is started. A database that is not there yet is waited for. Any
 * number may run at once, and beside an API, which does the same at its start.
 */
const config = configureProcess('hearth-migrate: brings the database up to date, and ends.', (env) => ({
  ...databaseVariables,
  logLevel: commonVariables(env).logLevel,
  gitSha: apiVariables(env).gitSha,
}));
const log = createLog('migrate', config.logLevel);
// The first process of a container is not ended by a signal that it does not handle. What was not committed is undone.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

try {
  const migrations = await retryUntilDone(
    log,
    'bringing the database up to date',
    () => migrate(config.databaseDirectUrl ?? config.databaseUrl, undefined, config.gitSha),
    isDatabaseUnavailable,
  );
  log.info(
    { migrations },
    migrations.length > 0 ? 'the database was brought up to date' : 'the database is up to date',
  );
} catch (error) {
  log.fatal({ err: error }, `the database cannot be brought up to date: ${explainFailure(error)}`);
  process.exitCode = 1;
}
