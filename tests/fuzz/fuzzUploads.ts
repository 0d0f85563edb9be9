import { checkResponse, type RawResponse } from '@hearth/testkit/api/responseChecker.ts';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { createRandom } from '@hearth/testkit/run/seededRandom.ts';
import { createFuzzUser, type FuzzUser } from './fuzzUser.ts';
import type { FuzzedInstallation } from './installation.ts';
import { sendBytes } from './sendBytes.ts';
import { checkUntouchedPhoto, ItemFault, waitUntilProcessed } from './waitUntilProcessed.ts';
import { makeUpload, type UploadCase, type UploadSource } from './uploadCase.ts';

export interface UploadFuzz {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
  readonly onProgress?: (done: number) => void;
}

/** Result of a run without faults. */
export interface UploadReport {
  /** Responses by status. 0 means that the connection was closed without a response. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Accepted items by status. */
  readonly items: ReadonlyMap<string, number>;
}

/** Concurrent cases. */
const concurrency = 4;

/**
 * Sends mutated uploads to a real API and a real worker, and checks every response and every accepted item. At the end, an
 * untouched photo must become READY.
 * @throws FuzzFailure
 */
export const fuzzUploads = async (installation: FuzzedInstallation, options: UploadFuzz): Promise<UploadReport> => {
  const uploader = await createFuzzUser(installation);
  const { statuses, accepted } = await runCases(options, installation, uploader);
  try {
    const items = await waitUntilProcessed(installation, uploader, [...accepted.keys()]);
    await checkUntouchedPhoto(installation, uploader);
    return { statuses, items };
  } catch (error) {
    if (!(error instanceof ItemFault)) throw error;
    const what = [error.message, ...(await installation.lastLines())].join('\n');
    throw new FuzzFailure(options.seed, accepted.get(error.id ?? ''), what);
  }
};

const runCases = async (
  { seed, first, count, onProgress }: UploadFuzz,
  installation: FuzzedInstallation,
  { token }: FuzzUser,
) => {
  const source = { token, photos: await makePhotos() };
  const statuses = new Map<number, number>();
  /** Case numbers by the id of the item that the case created. */
  const accepted = new Map<string, number>();
  let next = first;
  const runNextCases = async (): Promise<void> => {
    for (let number = next++; number < first + count; number = next++) {
      const { status, mediaItemId } = await runCase(installation, source, seed, number).catch(async (error: Error) => {
        next = Infinity;
        throw new FuzzFailure(seed, number, [error.message, ...(await installation.lastLines())].join('\n'));
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (mediaItemId !== undefined) accepted.set(mediaItemId, number);
      onProgress?.(number - first + 1);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runNextCases));
  return { statuses, accepted };
};

/** @throws Error with the sent bytes, if the response is missing or not as documented, or a process has ended */
const runCase = async (
  { url, findDeadReplica }: FuzzedInstallation,
  source: UploadSource,
  seed: number,
  number: number,
) => {
  const upload = makeUpload(createRandom(seed, number), source);
  try {
    const outcome = check(upload, await sendBytes(url, upload));
    const dead = findDeadReplica();
    if (dead !== undefined) throw new Error(`${dead}, during this case or before`);
    return outcome;
  } catch (error) {
    const sent = JSON.stringify(upload.bytes.subarray(0, 1_500).toString('latin1'));
    throw new Error(`${(error as Error).message}\nsent: ${sent}`, { cause: error });
  }
};

const check = (
  upload: UploadCase,
  all: readonly RawResponse[],
): { status: number; mediaItemId?: string | undefined } => {
  // Another response follows `100 Continue`.
  const [response, ...more] = all.filter(({ status }) => status >= 200);
  if (more.length > 0) throw new Error(`${more.length + 1} responses to one request`);
  if (response === undefined) {
    if (upload.isWhole && upload.disconnectAfter === undefined) throw new Error('no response');
    return { status: 0 };
  }
  const { status, headers, bytes } = response;
  checkResponse(upload.operation, response);
  if (status >= 500) throw new Error(`status ${status}, although every back end is available: ${bytes.toString()}`);
  if (status >= 400) return { status };
  if (upload.operation === 'createUpload') return { status, mediaItemId: headers.get('hearth-media-item-id')?.trim() };
  return { status, mediaItemId: (JSON.parse(bytes.toString()) as { id: string }).id };
};

/** Photos with and without metadata, small so that the worker processes many in a short time. */
const makePhotos = (): Promise<Buffer[]> => {
  const size = { width: 96, height: 64 };
  return Promise.all([
    makeTestPhoto({ ...size, seed: 1, takenAt: '2022:04:03 12:56:11' }),
    makeTestPhoto({ ...size, seed: 2 }),
    makeTestPhoto({ ...size, seed: 3, format: 'png' }),
    makeTestPhoto({ ...size, seed: 4, format: 'webp', takenAt: '2022:04:03 12:56:11' }),
  ]);
};

/** A case whose response was not as documented, or a fault found at the end. The message says how to repeat it. */
export class FuzzFailure extends Error {
  constructor(seed: number, caseNumber: number | undefined, what: string) {
    const repeat = caseNumber === undefined ? `--seed ${seed}` : `--seed ${seed} --case ${caseNumber}`;
    super(`${what}\nrepeat it with: npm run fuzz -- ${repeat}`);
    this.name = 'FuzzFailure';
  }
}
