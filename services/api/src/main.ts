import { configureProcess } from '@hearth/core/configureProcess.ts';
import { createLog } from '@hearth/core/log.ts';
import { apiVariables } from './config/config.ts';
import { openDeps } from './deps/openDeps.ts';
import { startApi } from './server/startApi.ts';

const config = configureProcess('hearth-api: the API of Hearth, on a database that is there already.', apiVariables);
const log = createLog('api', config.logLevel);
const deps = await openDeps(config, log);
try {
  await startApi(deps);
} catch (error) {
  log.fatal({ err: error }, 'the API cannot start');
  process.exit(1);
}
log.info({ host: config.host, port: config.port }, 'the API answers');
