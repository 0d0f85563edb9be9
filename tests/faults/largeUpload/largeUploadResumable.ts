import { setTimeout as sleep } from 'node:timers/promises';
import { startInstallation, type ApiReplica } from '@hearth/testkit/servers/installation.ts';
import { listBucket } from '@hearth/testkit/servers/listBucket.ts';
import { startTestS3 } from '@hearth/testkit/servers/s3Server.ts';
import { startTestServer } from '@hearth/testkit/database/postgres.ts';
import { bucket, makeQuery, s3Variables } from '@hearth/testkit/hearth/backEnds.ts';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { createUser } from '@hearth/testkit/hearth/request.ts';
import { makeLargeFile } from './largeFile.ts';
import { describeSpeed, computeHash, checkMemory, type LargeUploadDrill } from './largeUploadReport.ts';
import { listFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import { measureMemory, watchMemory } from '@hearth/testkit/figures/cost.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { openTusClient } from './tusClient.ts';
import { waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

/**
 * Allowed growth of all processes together, in MB. Each of the three processes on the file's path may buffer 64 MiB in
 * Node before garbage collection. Each of the two API processes also holds two parts of 8 MiB.
 */
const allowedGrowth = 250;

/** Faults by the uploaded share of the file, and the replica where the client resumes. */
const faults = [
  { at: 0.15, what: 'the connection is cut', isKill: false, next: 0 },
  { at: 0.35, what: 'the connection is cut, and the client resumes at the other replica', isKill: false, next: 1 },
  { at: 0.55, what: 'the connection is cut', isKill: false, next: 1 },
  { at: 0.75, what: 'the API process is killed and restarted', isKill: true, next: 1 },
] as const;

/**
 * Uploads a large file by the tus protocol to two API processes, on a folder or an S3 server, while faults occur.
 * Returns a message for each problem.
 */
export const drillResumable = async (
  { directory, processes, sizeBytes }: LargeUploadDrill,
  on: 'folder' | 's3',
): Promise<string[]> => {
  const problems: string[] = [];
  await using stack = new AsyncDisposableStack();
  const { url: databaseUrl } = await startTestServer();
  const query = makeQuery(databaseUrl);
  const s3 = on === 's3' ? await startTestS3() : undefined;
  if (s3 !== undefined) stack.defer(() => s3.stop());
  const env = s3 && s3Variables(s3);
  const installation = await startInstallation({ directory, databaseUrl, apis: 2, workers: 1, ...(env && { env }) });
  stack.defer(() => installation.stop());
  const { apis, workers, url, admin } = installation;
  const adopt = (): void => [...apis, ...workers].forEach(({ pid }) => void processes.adopt(pid));
  adopt();
  stack.defer(async () => {
    // The directory with the logs is removed afterwards, so the warnings are printed here.
    for (const { name, log } of [...apis, ...workers]) {
      const lines = (await log()).filter((line) => /"level":(40|50|60)/.test(line));
      if (lines.length > 0) console.log(`${name} logged ${lines.length} warnings; the last: ${lines.at(-1)}`);
    }
  });

  const client = openClient(url, await createUser(url, admin));
  const [photo, ...others] = await makePhotos(1, 9);
  await Promise.all(others.map((other) => client.upload(other)));
  await waitUntilReady(query);
  await sleep(3_000);

  const file = makeLargeFile(photo!.bytes, sizeBytes);
  const tus = openTusClient(await client.token());
  const before = measureMemory(processes);
  const uploading = watchMemory(processes);
  const startedAt = Date.now();
  let replica: ApiReplica = apis[0]!;
  const path = await tus.create(replica.url, file);
  let offset = 0;
  for (const { at, what, isKill, next } of faults) {
    const stopAt = Math.floor(at * sizeBytes);
    const broken = replica;
    let killed: Promise<void> | undefined;
    await tus.send(broken.url, path, file, {
      offset,
      stopAt,
      stop: (cut) => {
        if (isKill) killed = broken.kill();
        else cut();
      },
    });
    if (isKill) {
      await killed;
      await broken.restart();
      adopt();
    }
    replica = apis[next]!;
    const brokenAt = Date.now();
    ({ offset } = await tus.getState(replica.url, path));
    const seconds = ((Date.now() - brokenAt) / 1_000).toFixed(1);
    const lost = ((stopAt - offset) / 2 ** 20).toFixed(1);
    console.log(`${what} at ${Math.round(at * 100)} %: resumed after ${seconds} s; ${lost} MiB have to be sent again`);
  }
  const finalState = await tus.send(replica.url, path, file, { offset, stopAt: Infinity, stop: () => undefined });
  console.log(`uploaded ${describeSpeed(sizeBytes, startedAt)}`);
  const during = await uploading.stop();
  const state = await tus.getState(apis[0]!.url, path);
  if (state.mediaItemId === undefined || state.mediaItemId !== finalState?.mediaItemId || state.offset !== sizeBytes) {
    problems.push(`the last request returned ${JSON.stringify(finalState)}, but the state is ${JSON.stringify(state)}`);
    return problems;
  }

  // This takes a while without using a connection.
  const expected = file.checksum();
  const processing = watchMemory(processes);
  await waitUntilReady(query);
  const whileProcessed = await processing.stop();
  const item = await client.get(state.mediaItemId);
  if (item.status !== 'READY' || item.sizeBytes !== sizeBytes) {
    problems.push(`the item is ${item.status} with ${item.sizeBytes} bytes`);
  }
  const downloading = watchMemory(processes);
  const found = await computeHash(await client.fetchLink(item.sourceUrl));
  const whileRead = await downloading.stop();
  if (found !== expected) problems.push(`checksum of the downloaded file is ${found}, expected ${expected}`);
  const [row] = await query<{ checksum: string }>(
    `select encode(checksum, 'hex') as checksum from media_items where id = '${state.mediaItemId}'`,
  );
  if (row?.checksum !== expected) problems.push(`the row has the checksum ${row?.checksum}, expected ${expected}`);
  problems.push(...checkMemory({ before, during, whileProcessed, whileRead }, allowedGrowth));

  const stored = s3 === undefined ? await listFiles(directory) : await listBucket(s3, bucket);
  const left = stored.filter((key) => !/\/(original|preview-\d+\.jpg|thumbnail-\d+\.webp)$/.test(key));
  if (left.length > 0) problems.push(`leftover objects: ${left.join(', ')}`);
  console.log(`the ${on} returned every byte; ${left.length} other objects are left`);
  return problems;
};
