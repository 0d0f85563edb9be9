import { mkdirSync } from 'node:fs';
import { dataDirectoryOf } from '@hearth/testkit/hearth/dataFolder.ts';
import type { DrillContext, DrillReport } from '@hearth/testkit/hearth/drill.ts';
import { admin, adminVariables, runHearth } from '@hearth/testkit/hearth/hearth.ts';
import { makePaddedPhoto } from '@hearth/testkit/hearth/photos.ts';
import {
  createUser,
  describeAnswer,
  formOf,
  send,
  signIn,
  type Answer,
  type Credentials,
} from '@hearth/testkit/hearth/request.ts';
import { until } from '@hearth/testkit/hearth/wait.ts';
import { onSmallDisk } from './smallDisk.ts';

const MiB = 2 ** 20;
const diskMiB = 448;
const reserveBytes = 96 * MiB;

/** Sizes in bytes of the uploads that fill the disk. Each size is repeated until it no longer fits. */
const fillings = [12 * MiB, MiB, MiB / 16, MiB / 128] as const;

/** Number and size of the other user's photos. */
const own = { photos: 3, bytes: 4 * MiB } as const;

/** Limits in ms: of a response to the other user, and until freed space is available again. */
const bounds = { answer: 5_000, room: 30_000 } as const;

/**
 * Runs Hearth on a small disk that one user fills with uploads until they are refused. Another user then signs in,
 * lists, moves photos to the trash, deletes them permanently and uploads again. Each request must succeed as on a disk
 * with free space.
 */
export const runFullDiskDrill = async ({ directory, say }: DrillContext): Promise<DrillReport> => {
  // The small disk is a tmpfs, so its content counts as memory.
  const data = dataDirectoryOf(directory);
  mkdirSync(data, { recursive: true });
  const hearth = await runHearth({
    directory,
    env: { ...adminVariables, HEARTH_DISK_RESERVE_BYTES: String(reserveBytes) },
    wrap: (command) => onSmallDisk(data, diskMiB, command),
  });
  try {
    return await drill(hearth.url, say);
  } finally {
    await hearth.stop();
  }
};

const drill = async (url: string, say: (doing: string) => void): Promise<DrillReport> => {
  const hostile = await createUser(url, admin, 'hostile');
  const familiar = await createUser(url, admin, 'familiar');
  const filler = await openSession(url, hostile);
  const before = await openSession(url, familiar);
  const ids: string[] = [];
  for (let index = 0; index < own.photos; index++) {
    const answer = await before.upload(own.bytes);
    if (answer.status !== 201) throw new Error(describeAnswer('an upload', answer));
    ids.push(idOf(answer));
  }

  say('filling the disk');
  const begunAt = performance.now();
  let uploads = 0;
  const problems: string[] = [];
  for (const bytes of fillings) {
    for (;;) {
      const { status, text } = await filler.upload(bytes);
      if (status === 201) uploads += 1;
      else {
        if (status !== 507) problems.push(`an upload to a disk that gets full was answered ${status}: ${text}`);
        break;
      }
    }
  }
  const filledMs = performance.now() - begunAt;

  say('going on beside');
  const answersMs: number[] = [];
  const timed = async <Result>(ask: Promise<Result>): Promise<Result> => {
    const askedAt = performance.now();
    const result = await ask;
    answersMs.push(performance.now() - askedAt);
    return result;
  };
  const expect = async (expected: number, what: string, ask: Promise<Answer>): Promise<Answer> => {
    const answer = await timed(ask);
    if (answer.status !== expected) problems.push(`with a full disk ${describeAnswer(what, answer)}`);
    return answer;
  };
  await expect(507, 'an upload', before.upload(MiB));
  const session = await timed(openSession(url, familiar));
  const call = (expected: number, method: string, path: string): Promise<Answer> =>
    expect(expected, `${method} ${path}`, session.call(method, path));
  await call(200, 'GET', '/v1/mediaItems?limit=100');
  for (const id of ids) await call(204, 'DELETE', `/v1/mediaItems/${id}`);
  const trash = await call(200, 'GET', '/v1/trash');
  if ((JSON.parse(trash.text) as unknown[]).length !== ids.length) problems.push(`the trash holds ${trash.text}`);
  for (const id of ids) await call(204, 'DELETE', `/v1/mediaItems/${id}?permanent=true`);
  const deletedAt = performance.now();
  const room = { patienceMs: bounds.room };
  const uploadAgain = async (): Promise<Answer | false> => {
    const answer = await session.upload(MiB);
    return answer.status !== 507 && answer;
  };
  const again = await until('room for an upload', uploadAgain, room);
  const roomMs = performance.now() - deletedAt;
  const isReady = async (): Promise<boolean> =>
    (await session.call('GET', `/v1/mediaItems/${idOf(again)}`)).text.includes('"status":"READY"');
  if (again.status !== 201) problems.push(describeAnswer('with room again an upload', again));
  else await until('its photo is READY', isReady, room);
  const readyMs = performance.now() - deletedAt;

  const slowest = Math.round(Math.max(...answersMs));
  if (slowest > bounds.answer) problems.push(`with a full disk an answer took ${slowest} ms`);
  const figures = {
    'uploads until the disk was full': uploads,
    'seconds until the disk was full': Math.round(filledMs / 1_000),
    'answers with a full disk': answersMs.length,
    'slowest answer with a full disk, ms': slowest,
    'from the last deletion to the next upload, ms': Math.round(roomMs),
    'from the last deletion until that is READY, ms': Math.round(readyMs),
  };
  return { figures, problems };
};

interface Session {
  call(method: string, path: string): Promise<Answer>;
  upload(bytes: number): Promise<Answer>;
}

const openSession = async (url: string, credentials: Credentials): Promise<Session> => {
  const token = await signIn(url, credentials);
  return {
    call: (method, path) => send(url, path, { method, token }),
    upload: async (bytes) => {
      const body = formOf('photo.jpg', await makePaddedPhoto(1, bytes));
      return send(url, '/v1/mediaItems', { method: 'POST', token, body });
    },
  };
};

const idOf = ({ text }: Answer): string => (JSON.parse(text) as { id: string }).id;
