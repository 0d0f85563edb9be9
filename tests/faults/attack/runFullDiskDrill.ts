import { mkdirSync } from 'node:fs';
import { getDataDirectory } from '@hearth/testkit/hearth/dataFolder.ts';
import type { DrillContext, DrillReport } from '@hearth/testkit/hearth/drill.ts';
import { admin, adminVariables, runHearth } from '@hearth/testkit/hearth/hearth.ts';
import { makePaddedPhoto } from '@hearth/testkit/hearth/photos.ts';
import {
  createUser,
  describeResponse,
  makeForm,
  send,
  signIn,
  type HttpResponse,
  type Credentials,
} from '@hearth/testkit/hearth/request.ts';
import { waitFor } from '@hearth/testkit/hearth/wait.ts';
import { runOnSmallDisk } from './smallDisk.ts';

const MiB = 2 ** 20;
const diskMiB = 448;
const reserveBytes = 96 * MiB;

/** Sizes in bytes of the uploads that fill the disk. Each size is repeated until it no longer fits. */
const fillSizes = [12 * MiB, MiB, MiB / 16, MiB / 128] as const;

/** Number of the other user's photos, and the size of each in bytes. */
const ownPhotos = { photos: 3, bytes: 4 * MiB } as const;

/** Limits in ms: of a response to the other user, and until freed space is available again. */
const bounds = { response: 5_000, freedSpace: 30_000 } as const;

/**
 * Runs Hearth on a small disk that one user fills with uploads until they are refused. Another user then signs in,
 * lists, moves photos to the trash, deletes them permanently and uploads again. Each request must succeed as on a disk
 * with free space.
 */
export const runFullDiskDrill = async ({ directory, say }: DrillContext): Promise<DrillReport> => {
  // The small disk is a tmpfs, so its content counts as memory.
  const data = getDataDirectory(directory);
  mkdirSync(data, { recursive: true });
  const hearth = await runHearth({
    directory,
    env: { ...adminVariables, HEARTH_DISK_RESERVE_BYTES: String(reserveBytes) },
    wrap: (command) => runOnSmallDisk(data, diskMiB, command),
  });
  try {
    return await drill(hearth.url, say);
  } finally {
    await hearth.stop();
  }
};

const drill = async (url: string, say: (doing: string) => void): Promise<DrillReport> => {
  const hostileUser = await createUser(url, admin, 'hostile');
  const regularUser = await createUser(url, admin, 'familiar');
  const fillerUser = await signInUser(url, hostileUser);
  const sessionBefore = await signInUser(url, regularUser);
  const ids: string[] = [];
  for (let index = 0; index < ownPhotos.photos; index++) {
    const response = await sessionBefore.upload(ownPhotos.bytes);
    if (response.status !== 201) throw new Error(describeResponse('an upload', response));
    ids.push(parseId(response));
  }

  say('filling the disk');
  const begunAt = performance.now();
  let uploads = 0;
  const problems: string[] = [];
  for (const bytes of fillSizes) {
    for (;;) {
      const { status, text } = await fillerUser.upload(bytes);
      if (status === 201) uploads += 1;
      else {
        if (status !== 507) problems.push(`an upload that fills the disk returned ${status}: ${text}`);
        break;
      }
    }
  }
  const filledMs = performance.now() - begunAt;

  say('checking the other user');
  const responsesMs: number[] = [];
  const measureRequest = async <Result>(request: Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await request;
    responsesMs.push(performance.now() - startedAt);
    return result;
  };
  const expect = async (expected: number, what: string, request: Promise<HttpResponse>): Promise<HttpResponse> => {
    const response = await measureRequest(request);
    if (response.status !== expected) problems.push(`with a full disk ${describeResponse(what, response)}`);
    return response;
  };
  await expect(507, 'an upload', sessionBefore.upload(MiB));
  const session = await measureRequest(signInUser(url, regularUser));
  const call = (expected: number, method: string, path: string): Promise<HttpResponse> =>
    expect(expected, `${method} ${path}`, session.call(method, path));
  await call(200, 'GET', '/v1/mediaItems?limit=100');
  for (const id of ids) await call(204, 'DELETE', `/v1/mediaItems/${id}`);
  const trash = await call(200, 'GET', '/v1/trash');
  if ((JSON.parse(trash.text) as unknown[]).length !== ids.length) problems.push(`the trash holds ${trash.text}`);
  for (const id of ids) await call(204, 'DELETE', `/v1/mediaItems/${id}?permanent=true`);
  const deletedAt = performance.now();
  const waitOptions = { timeoutMs: bounds.freedSpace };
  const uploadAgain = async (): Promise<HttpResponse | false> => {
    const response = await session.upload(MiB);
    return response.status !== 507 && response;
  };
  const secondAttempt = await waitFor('space for an upload', uploadAgain, waitOptions);
  const uploadMs = performance.now() - deletedAt;
  const isReady = async (): Promise<boolean> =>
    (await session.call('GET', `/v1/mediaItems/${parseId(secondAttempt)}`)).text.includes('"status":"READY"');
  if (secondAttempt.status !== 201) problems.push(describeResponse('an upload after freeing space', secondAttempt));
  else await waitFor('its photo is READY', isReady, waitOptions);
  const readyMs = performance.now() - deletedAt;

  const slowest = Math.round(Math.max(...responsesMs));
  if (slowest > bounds.response) problems.push(`with a full disk a response took ${slowest} ms`);
  const figures = {
    'uploads until the disk was full': uploads,
    'seconds until the disk was full': Math.round(filledMs / 1_000),
    'responses with a full disk': responsesMs.length,
    'slowest response with a full disk, ms': slowest,
    'from the last deletion to the next upload, ms': Math.round(uploadMs),
    'from the last deletion to READY, ms': Math.round(readyMs),
  };
  return { figures, problems };
};

interface Session {
  call(method: string, path: string): Promise<HttpResponse>;
  upload(bytes: number): Promise<HttpResponse>;
}

const signInUser = async (url: string, credentials: Credentials): Promise<Session> => {
  const token = await signIn(url, credentials);
  return {
    call: (method, path) => send(url, path, { method, token }),
    upload: async (bytes) => {
      const body = makeForm('photo.jpg', await makePaddedPhoto(1, bytes));
      return send(url, '/v1/mediaItems', { method: 'POST', token, body });
    },
  };
};

const parseId = ({ text }: HttpResponse): string => (JSON.parse(text) as { id: string }).id;
