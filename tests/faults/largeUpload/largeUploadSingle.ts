import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { runHearth } from '@hearth/testkit/hearth/hearth.ts';
import { listFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import type { LargeUploadResult, LargeUploadProgress, LargeUploadRequest } from './largeUploadProtocol.ts';
import { describeSpeed, computeHash, checkMemory, type LargeUploadDrill } from './largeUploadReport.ts';
import { measureMemory, watchMemory } from '@hearth/testkit/figures/cost.ts';
import { makePhotos } from '@hearth/testkit/hearth/photos.ts';
import { waitFor, waitUntilReady } from '@hearth/testkit/hearth/wait.ts';

const GiB = 2 ** 30;

/** Allowed growth of all processes together, in MB. */
const allowedGrowth = 150;

/** Uploads a large file in one request to Hearth, run like `npm start`. Returns a message for each problem. */
export const drillSingle = async ({ directory, processes, sizeBytes }: LargeUploadDrill): Promise<string[]> => {
  const problems: string[] = [];
  const hearth = await runHearth({ directory, processes });
  const { query } = hearth;
  const client = openClient(hearth.url, hearth.credentials);
  const makeRequest = async (photo: Buffer): Promise<Omit<LargeUploadRequest, 'sizeBytes'>> => ({
    url: hearth.url,
    token: await client.token(),
    photo: photo.toString('base64'),
  });
  const [first, second, ...others] = await makePhotos(1, 10);
  // Warm-up: decoders and the like start with the first work and are not growth caused by a large file.
  await Promise.all(others.map((photo) => client.upload(photo)));
  await waitUntilReady(query);
  await sleep(3_000);

  const before = measureMemory(processes);
  const uploading = watchMemory(processes);
  const startedAt = Date.now();
  const { status, body, checksum } = await send({ ...(await makeRequest(first!.bytes)), sizeBytes });
  console.log(`uploaded: ${describeSpeed(sizeBytes, startedAt)}`);
  const during = await uploading.stop();
  if (status !== 201) throw new Error(`the upload returned ${status}: ${body}`);
  const processing = watchMemory(processes);
  await waitUntilReady(query);
  const whileProcessed = await processing.stop();

  const { id } = JSON.parse(body) as { id: string };
  const item = await client.get(id);
  if (item.status !== 'READY' || item.sizeBytes !== sizeBytes)
    problems.push(`the item is ${item.status} with ${item.sizeBytes} bytes`);
  const downloading = watchMemory(processes);
  const found = await computeHash(await client.fetchLink(item.sourceUrl));
  const whileRead = await downloading.stop();
  if (found !== checksum) problems.push(`checksum of the downloaded file is ${found}, expected ${checksum}`);
  const samples = { before, during, whileProcessed, whileRead, after: measureMemory(processes) };
  problems.push(...checkMemory(samples, allowedGrowth));

  const filesBefore = await listFiles(directory);
  await send({ ...(await makeRequest(second!.bytes)), sizeBytes: GiB }, GiB / 2).catch(() => undefined);
  const isGone = async (): Promise<boolean> => (await listFiles(directory)).length === filesBefore.length;
  await waitFor('the files of the upload are gone', isGone, { timeoutMs: 10_000 }).catch(() => undefined);
  const left = new Set(await listFiles(directory)).difference(new Set(filesBefore));
  if (left.size > 0) problems.push(`a disconnected client left ${[...left].join(', ')}`);
  const [count] = await query<{ n: number }>('select count(*)::int as n from media_items');
  if (count?.n !== others.length + 1) problems.push(`${count?.n} rows, expected ${others.length + 1}`);
  console.log(`a client that disconnected halfway through 1 GiB left ${left.size} files`);
  return problems;
};

/** Uploads from a child process, which is killed after `killAtBytes`. */
const send = async (request: LargeUploadRequest, killAtBytes = Infinity): Promise<LargeUploadResult> => {
  const child = fork(new URL('largeUploadClient.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(request);
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => reject(new Error(`the client exited with ${signal ?? code}`)));
    child.on('message', (message: LargeUploadResult | LargeUploadProgress) => {
      if ('status' in message) resolve(message);
      else if (message.sentBytes >= killAtBytes) child.kill('SIGKILL');
    });
  });
};
