import { parseArgs } from 'node:util';
import { configureProcess } from '@hearth/core/config/configureProcess.ts';
import { getS3Settings } from '@hearth/core/config/commonConfig.ts';
import { claimStore, takeOverStore } from '@hearth/core/backEnds/libraryMarker.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { requireCurrentSchema } from '@hearth/core/db/migrate.ts';
import { explainFailure } from '@hearth/core/log/explainFailure.ts';
import { createLog } from '@hearth/core/log/log.ts';
import { openObjects } from '@hearth/core/backEnds/openObjects.ts';
import { openQueues } from '@hearth/core/queue/openQueues.ts';
import { embeddedVariables } from '../embedded/config.ts';
import { ensureUser } from '../embedded/firstUser.ts';
import { findSecrets } from '../embedded/secrets.ts';
import { withDatabase } from '../embedded/withDatabase.ts';
import { adoptOrphans } from '../features/orphans/adoptOrphans.ts';
import { describeOrphans } from '../features/orphans/describeOrphans.ts';
import { findOrphans } from '../features/orphans/findOrphans.ts';

/*
 * npm run orphans: lists originals without a media item, for example after the database was restored from an older
 * backup.
 * npm run orphans -- --adopt: adopts each into the library of the account that uploaded it.
 * npm run orphans -- --adopt --into USERNAME: adopts them into this account. Required if their own account is gone.
 * npm run orphans -- --take-over: first assigns the store to the database. Needed if the API refuses to start because
 * the store has no marker or the marker of another library.
 * IDs of users or items after the options select orphans; the default is all. Uses the configuration of npm start, or
 * of a cluster's API. Works while Hearth is running, too.
 */
const purpose =
  'npm run orphans [-- [--take-over] [--adopt [--into USERNAME]] [ID …]]: lists originals without a media item, or restores them to a library.';
const config = configureProcess(purpose, embeddedVariables);
const log = createLog('api', config.logLevel);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  const { values, positionals } = parseArgs({
    options: {
      adopt: { type: 'boolean', default: false },
      into: { type: 'string' },
      'take-over': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.into !== undefined && !values.adopt) throw new Error('--into requires --adopt.');
  await withDatabase(config, async (databaseUrl) => {
    await using opened = new AsyncDisposableStack();
    const db = openDatabase({ url: databaseUrl, maxConnections: 4, onError: () => undefined });
    opened.defer(() => db.destroy());
    await requireCurrentSchema(db);
    const objects = await openObjects({ dataDirectory: config.dataDirectory, s3: getS3Settings(config) }, log);
    if (values['take-over']) {
      await takeOverStore(objects, db);
      print('The object store belongs to this library now.');
    } else if (values.adopt) await claimStore(objects, db);
    const orphans = findOrphans({ db, objects });
    const chosen = positionals.length === 0 ? orphans : only(new Set(positionals), orphans);
    if (!values.adopt) {
      await describeOrphans(chosen, print);
      return;
    }
    const queues = await openQueues({ ...config, databaseUrl }, log);
    opened.defer(() => queues.close());
    // If the first start rejected the store, it has not created its account yet.
    const firstUser = config.databaseUrl === undefined ? findSecrets(config.dataDirectory)?.firstUser : undefined;
    if (firstUser !== undefined) await ensureUser(db, firstUser);
    await adoptOrphans({ db, objects, queues, config, log }, chosen, {
      into: values.into,
      signal: stopping.signal,
      print,
    });
  });
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = 1;
}

async function* only(ids: ReadonlySet<string>, orphans: ReturnType<typeof findOrphans>): typeof orphans {
  for await (const orphan of orphans) if (ids.has(orphan.mediaItemId) || ids.has(orphan.userId)) yield orphan;
}
