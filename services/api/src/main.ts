import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { apiVariables } from './config/config.ts';
import { openDeps } from './deps/openDeps.ts';
import { startApi } from './server/startApi.ts';

const config = configureProcess('hearth-api: runs the Hearth API on an existing database.', apiVariables);
const log = createLog('api', config.logLevel);
try {
  await startApi(await openDeps(config, log));
} catch (error) {
  log.fatal({ err: error }, `could not start the API: ${explainFailure(error)}`);
  process.exit(1);
}
log.info({ host: config.host, port: config.port }, 'API ready');
