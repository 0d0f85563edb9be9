import { checkDisk, findLeftovers, listFiles, prepareOrphanSweep, waitForOrphanSweep } from './checkDisk.ts';
import { checkLibrary, countRepeatedRuns } from './checkLibrary.ts';
import { openClient } from './client.ts';
import { drawPlan, type DrillPlan, type DrillSize } from './drillPlan.ts';
import { executePlan, type Attack } from './executePlan.ts';
import { describeEnding, findFreePorts, startHearth, type HearthOptions } from './hearth.ts';
import { makePhotos } from './photos.ts';
import { watchFamily, type ProcessFamily } from './processes.ts';
import { createRandom } from './random.ts';
import { superviseHearth, victims } from './supervisor.ts';
import { waitUntilReady } from './waitUntilReady.ts';

/** What a drill came to. */
export interface DrillReport {
  /** One line each for the table. */
  readonly figures: Readonly<Record<string, number>>;
  /** A sentence for each thing that is not as it should be. */
  readonly problems: readonly string[];
}

/** How it is drilled. */
export interface DrillOptions extends DrillSize {
  readonly seed: number;
  /** An empty folder for everything that comes up. */
  readonly directory: string;
  /** Told in a few words what is being done. */
  readonly say: (doing: string) => void;
}

/** Items that the worker works on at the same time: what one kill cuts off at most. */
const concurrency = 2;

const env = { HEARTH_LEASE_SECONDS: '5', HEARTH_WORKER_CONCURRENCY: String(concurrency) };

/**
 * Uploads photos to Hearth in embedded mode while its processes are killed and its queue is emptied, then checks that nothing was lost
 * and nothing is there twice.
 *
 * 1. uploads, kills and emptied queues by the seed's plan; the process of Hearth itself is started again whenever it was killed
 * 2. everything becomes READY
 * 3. what the API, the database and the disk hold is what was uploaded
 * 4. the orphan sweep, then the disk again, file by file
 * 5. a clean stop, after which no process and no temporary file is left
 */
export const runDrill = async (options: DrillOptions): Promise<DrillReport> => {
  const { directory, seed, say } = options;
  const startedAt = Date.now();
  const family = watchFamily();
  const problems: string[] = [];
  const over = new AbortController();
  try {
    const photos = await makePhotos(seed, options.photos);
    const plan = drawPlan(createRandom(seed), options, photos);
    const hearthOptions: HearthOptions = { directory, ports: await findFreePorts(), env };
    const hearth = await superviseHearth(hearthOptions, family, over.signal);
    const client = openClient(hearth.url, hearth.credentials, over.signal);
    say(`uploading ${photos.length} photos, with ${plan.kills.length} kills in ${lastOf(plan)} s`);
    const attack: Attack = { answeredIds: new Map(), killed: new Map() };
    await Promise.race([executePlan(plan, directory, hearth, client, attack, over.signal), hearth.trouble]);
    const attackedMs = Date.now() - startedAt;

    say('waiting until every photo is done');
    await Promise.race([hearth.running().then(() => waitUntilReady(directory)), hearth.trouble]);
    const readyMs = Date.now() - startedAt;
    say('checking the library');
    const interruptions = plan.kills.length * concurrency * 2;
    problems.push(...client.figures.unexcused);
    problems.push(
      ...(await checkLibrary(directory, client, { photos, answeredIds: attack.answeredIds, interruptions })),
    );
    problems.push(...(await checkMetrics(hearthOptions)));

    say('sweeping orphans');
    const repeatedRuns = await countRepeatedRuns(directory);
    const filesBefore = await listFiles(directory);
    await prepareOrphanSweep(directory);
    await hearth.stop();
    problems.push(...(await checkEnded(family)));
    problems.push(...(await sweepOrphans(hearthOptions, family)));
    problems.push(...(await findLeftovers(directory)));
    const filesAfter = await listFiles(directory);
    const figures = {
      ...Object.fromEntries(victims.map((victim) => [`kills: ${victim}`, attack.killed.get(victim) ?? 0])),
      'starts of Hearth': hearth.starts(),
      'runs cut off and begun again': repeatedRuns,
      'queue emptied': plan.empties.length,
      'requests sent again': client.figures.retries,
      'uploads of bytes already there': client.figures.duplicates,
      'files swept as orphans': filesBefore.length - filesAfter.length,
      'seconds of kills': Math.round(attackedMs / 1_000),
      'seconds until all is READY': Math.round(readyMs / 1_000),
      'seconds in all': Math.round((Date.now() - startedAt) / 1_000),
    };
    return { figures, problems };
  } finally {
    over.abort();
    // Nothing is left running, whatever went wrong; after a clean end there is nothing left to kill.
    for (const member of family.living()) family.signal(member, 'SIGKILL');
    family.stopWatching();
  }
};

const lastOf = ({ kills }: DrillPlan): number => Math.round((kills.at(-1)?.atMs ?? 0) / 1_000);

/** After all the kills both processes must still be observable. */
const checkMetrics = async ({ ports }: HearthOptions): Promise<string[]> => {
  const answers = [ports.metrics, ports.metrics + 1].map(async (port) => {
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
      (response) => response.text(),
      () => '',
    );
    return text.includes('process_cpu_seconds_total') ? [] : [`no metrics are served on port ${port}`];
  });
  return (await Promise.all(answers)).flat();
};

const sweepOrphans = async (options: HearthOptions, family: ProcessFamily): Promise<string[]> => {
  const hearth = startHearth(options);
  const process = family.adopt(hearth.pid);
  await hearth.running;
  await waitForOrphanSweep(options.directory);
  const problems = await checkDisk(options.directory);
  family.signal(process, 'SIGTERM');
  const ending = await hearth.ended;
  if (ending.code !== 0) problems.push(`asked to end, Hearth ended with ${describeEnding(ending)}`);
  return [...problems, ...(await checkEnded(family))];
};

const checkEnded = async (family: ProcessFamily): Promise<string[]> =>
  (await family.waitForEnd(10_000)).map(({ pid, command }) => `process ${pid} still runs after the stop: ${command}`);
