import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listFiles } from './checkDisk.ts';
import { openClient } from './client.ts';
import { query } from './database.ts';
import { findCredentials, findFreePorts, startHearth } from './hearth.ts';
import type { LargeUploadAnswer, LargeUploadProgress, LargeUploadRequest } from './largeUploadProtocol.ts';
import { measureMemory, sumOf, watchMemory, type MemoryByKind } from './memory.ts';
import { makePhotos } from './photos.ts';
import { watchFamily } from './processes.ts';
import { waitUntilReady } from './waitUntilReady.ts';

/*
 * npm run drill:large: one large file goes in and comes back while the memory of all processes is watched; then a client
 * vanishes half-way of another one.
 */
const { values } = parseArgs({ options: { gib: { type: 'string', default: '4' } } });
const GiB = 2 ** 30;
const sizeBytes = Math.round(Number(values.gib) * GiB);

/** Megabytes by which all processes together may grow. */
const allowedGrowth = 150;

const { bavail, bsize } = await statfs(tmpdir());
if (bavail * bsize < sizeBytes + 2 * GiB) {
  console.log(`${tmpdir()} has ${(bavail * bsize) / GiB} GiB free, and this needs ${sizeBytes / GiB + 2}: set TMPDIR`);
  process.exit(1);
}
const directory = await mkdtemp(join(tmpdir(), 'hearth-large-'));
const family = watchFamily();
const problems: string[] = [];
try {
  await drill();
} catch (error) {
  problems.push((error as Error).stack ?? String(error));
} finally {
  for (const member of family.living()) family.signal(member, 'SIGKILL');
  await family.waitForEnd(10_000);
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'drill passed' : 'drill FAILED');
process.exit(problems.length === 0 ? 0 : 1);

async function drill(): Promise<void> {
  const hearth = startHearth({ directory, ports: await findFreePorts() });
  family.adopt(hearth.pid);
  await hearth.running;
  const client = openClient(hearth.url, findCredentials(hearth.output())!, new AbortController().signal);
  const [first, second, ...others] = await makePhotos(1, 10);
  // Everything that starts with the first work, such as decoders, is no growth by a large file.
  await Promise.all(others.map((photo) => client.upload(photo)));
  await waitUntilReady(directory);
  await sleep(3_000);

  const before = measureMemory(family);
  const uploading = watchMemory(family);
  const startedAt = Date.now();
  const { status, body, checksum } = await send({ ...(await clientOf(first!.bytes)), sizeBytes });
  const uploadSeconds = (Date.now() - startedAt) / 1_000;
  const during = await uploading.stop();
  if (status !== 201) throw new Error(`the upload was answered ${status}: ${body}`);
  const processing = watchMemory(family);
  await waitUntilReady(directory);
  const whileProcessed = await processing.stop();

  const { id } = JSON.parse(body) as { id: string };
  const item = await client.get(id);
  if (item.status !== 'READY' || item.sizeBytes !== sizeBytes)
    problems.push(`it is ${item.status}: ${item.sizeBytes} bytes`);
  const downloading = watchMemory(family);
  const found = await hashOf(await client.fetchLink(item.sourceUrl));
  const whileRead = await downloading.stop();
  if (found !== checksum) problems.push(`what comes back has the checksum ${found}, expected ${checksum}`);
  print({ before, during, whileProcessed, whileRead, after: measureMemory(family) });
  console.log(
    `${sizeBytes / GiB} GiB went in within ${uploadSeconds.toFixed(1)} s (${(sizeBytes / 1e6 / uploadSeconds).toFixed(0)} MB/s)`,
  );

  const filesBefore = await listFiles(directory);
  await send({ ...(await clientOf(second!.bytes)), sizeBytes: GiB }, GiB / 2).catch(() => undefined);
  for (const giveUpAt = Date.now() + 10_000; Date.now() < giveUpAt; await sleep(100)) {
    if ((await listFiles(directory)).length === filesBefore.length) break;
  }
  const left = new Set(await listFiles(directory)).difference(new Set(filesBefore));
  if (left.size > 0) problems.push(`a client that vanished left ${[...left].join(', ')}`);
  const [count] = await query<{ n: number }>(directory, 'select count(*)::int as n from media_items');
  if (count?.n !== others.length + 1) problems.push(`${count?.n} rows, expected ${others.length + 1}`);
  console.log(`a client that vanished half-way of 1 GiB left ${left.size} files`);

  async function clientOf(photo: Buffer): Promise<Omit<LargeUploadRequest, 'sizeBytes'>> {
    return { url: hearth.url, token: await client.token(), photo: photo.toString('base64') };
  }
}

/** Uploads from a process of its own, which is killed once it has sent `killAtBytes`. */
async function send(request: LargeUploadRequest, killAtBytes = Infinity): Promise<LargeUploadAnswer> {
  const child = fork(new URL('largeUploadClient.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.send(request);
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => reject(new Error(`the client ended with ${signal ?? code}`)));
    child.on('message', (message: LargeUploadAnswer | LargeUploadProgress) => {
      if ('status' in message) resolve(message);
      else if (message.sentBytes >= killAtBytes) child.kill('SIGKILL');
    });
  });
}

async function hashOf(response: Response): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of response.body!) hash.update(chunk);
  return hash.digest('hex');
}

function print(samples: Readonly<Record<string, MemoryByKind>>): void {
  const before = sumOf(samples['before']!);
  for (const [when, memory] of Object.entries(samples)) {
    const parts = Object.entries(memory).map(([kind, megabytes]) => `${kind} ${megabytes.toFixed(0)}`);
    const growth = sumOf(memory) - before;
    console.log(
      `${when.padEnd(16)}${sumOf(memory).toFixed(0).padStart(5)} MB  +${growth.toFixed(0)}  (${parts.join(', ')})`,
    );
    if (growth >= allowedGrowth)
      problems.push(`${when}: ${growth.toFixed(0)} MB more than before, allowed are ${allowedGrowth}`);
  }
}
