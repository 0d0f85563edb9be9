import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createMigratedDatabase } from '@hearth/testkit/database/migratedDatabase.ts';
import { placesFileVariable } from '@hearth/testkit/libraries/placesFile.ts';
import { getDataDirectory } from '@hearth/testkit/hearth/dataFolder.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { findFreePorts, makeStartOptions } from '@hearth/testkit/hearth/hearth.ts';
import { saveFigures, publishTable, describeMachine, formatToday } from '@hearth/testkit/figures/publish.ts';
import { median } from '@hearth/testkit/figures/statistics.ts';
import { measureStart, type Started } from './measureStart.ts';

/*
 * npm run bench:start [-- --rounds 7 --publish]
 *
 * Measures the time from the start of an API process to its first response on a migrated database, and its idle memory.
 * A minimal Express app and `npm start` on existing data are measured in the same rounds. `--json PATH` writes all
 * figures. Exits with 1 if a bound is missed.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

/** Seconds without a request after which a process counts as idle. */
const idleSeconds = 5;

/** Bounds for an API start on an existing database. */
const startBounds = { seconds: 1, idleMegabytes: 200 } as const;

/** Results of one program: medians of the counted rounds, and the memory measured in the last round. */
interface StartResult {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly idleMegabytes: number;
}

/** Renders the figures as Markdown. */
const startTable = (
  { express, api, embedded }: Readonly<Record<'express' | 'api' | 'embedded', StartResult>>,
  rounds: number,
): string =>
  [
    `${formatToday()}: median of ${rounds} starts; ${describeMachine()}.`,
    '',
    '|  | target | bare Express | API | `npm start` on existing data |',
    '| --- | ---: | ---: | ---: | ---: |',
    `| start until the first response with data | ≤ ${startBounds.seconds} s | ${formatSeconds(express.seconds)} | ${formatSeconds(api.seconds)} | ${formatSeconds(embedded.seconds)} |`,
    `| CPU until then |  | ${formatSeconds(express.cpuSeconds)} | ${formatSeconds(api.cpuSeconds)} | ${formatSeconds(embedded.cpuSeconds)} |`,
    `| memory of the process when idle (PSS) | ≤ ${startBounds.idleMegabytes} MB | ${formatMegabytes(express.idleMegabytes)} | ${formatMegabytes(api.idleMegabytes)} | ${formatMegabytes(embedded.idleMegabytes)} |`,
  ].join('\n');

const formatSeconds = (seconds: number): string => `${seconds.toFixed(2)} s`;
const formatMegabytes = (megabytes: number): string => `${megabytes.toFixed(0)} MB`;

const getProgram = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const directory = await makeFolder('bench-start');
const ports = await findFreePorts();
const database = await createMigratedDatabase();
const secrets = {
  HEARTH_ADMIN_PASSWORD: 'the-password-of-a-bench',
  HEARTH_TOKEN_SECRET: 'a token secret for a bench, long enough',
  HEARTH_LINK_SECRET: 'a link secret for a bench, long enough too',
};
const common = {
  ...makeStartOptions(),
  HEARTH_PORT: String(ports.api),
  HEARTH_METRICS_PORT: String(ports.metrics),
  HEARTH_LOG_LEVEL: 'warn',
  ...placesFileVariable(),
};
const subjects = {
  express: { program: getProgram('bareExpress.ts'), args: [String(ports.api)], env: {} },
  api: {
    program: getProgram('../../services/api/src/main.ts'),
    args: [],
    env: { ...common, ...secrets, HEARTH_DATABASE_URL: database.url, HEARTH_DATA_DIR: join(directory, 'api') },
  },
  embedded: {
    program: getProgram('../../services/api/src/embedded/main.ts'),
    args: [],
    env: { ...common, HEARTH_DATA_DIR: getDataDirectory(directory) },
  },
} as const;
type Subject = keyof typeof subjects;

const times: Record<Subject, Started[]> = { express: [], api: [], embedded: [] };
const idle: Partial<Record<Subject, number>> = {};
try {
  for (let round = 0; round <= rounds; round++) {
    for (const [name, subject] of Object.entries(subjects) as [Subject, (typeof subjects)[Subject]][]) {
      const started = await measureStart({ ...subject, url: `http://127.0.0.1:${ports.api}/readyz` });
      if (round === rounds) {
        await sleep(idleSeconds * 1_000);
        idle[name] = started.megabytes();
      }
      await started.stop();
      // The first round fills caches and is not counted.
      if (round > 0) times[name].push(started);
    }
  }
} finally {
  await database.drop();
  await removeFolder(directory);
}

const toResult = (name: Subject): StartResult => ({
  seconds: median(times[name].map(({ seconds }) => seconds)),
  cpuSeconds: median(times[name].map(({ cpuSeconds }) => cpuSeconds)),
  idleMegabytes: idle[name] ?? NaN,
});
const results = { express: toResult('express'), api: toResult('api'), embedded: toResult('embedded') };
await publishTable('bench:start', startTable(results, rounds), values);
await saveFigures(values.json, { rounds, results });
const { api } = results;
if (api.seconds > startBounds.seconds)
  console.error(`\nmissed: ${api.seconds.toFixed(2)} s to the first response, limit ${startBounds.seconds} s`);
if (api.idleMegabytes > startBounds.idleMegabytes)
  console.error(`\nmissed: ${api.idleMegabytes.toFixed(0)} MB idle, limit ${startBounds.idleMegabytes} MB`);
process.exit(api.seconds > startBounds.seconds || api.idleMegabytes > startBounds.idleMegabytes ? 1 : 0);
