import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestPhoto } from '@hearth/core/testing/testPhoto.ts';
import { createUser } from './createUser.ts';
import { dataDirectoryOf, endHearth, findFreePorts, startHearth, type Credentials } from './hearth.ts';
import type { AttackDrillReport } from './runAttackDrill.ts';
import { onSmallDisk } from './smallDisk.ts';

/** How a full disk is drilled. */
export interface FullDiskDrillOptions {
  /** For all of it but the data, which lies in memory. */
  readonly directory: string;
  readonly say: (doing: string) => void;
}

const MiB = 2 ** 20;
const diskMiB = 448;
const reserveBytes = 96 * MiB;

/** Bytes of the uploads that fill the disk, until none of the last fits. */
const fillings = [12 * MiB, MiB, MiB / 16, MiB / 128] as const;

/** Photos of the other user, and what each weighs. */
const own = { photos: 3, bytes: 4 * MiB } as const;

/** The longest that an answer to the other user may take, and how long room may take to be there again, in milliseconds. */
const bounds = { answer: 5_000, room: 30_000 } as const;

const admin = { username: 'keeper', password: 'the-keepers-password' } as const;

/**
 * Runs Hearth on a small disk, which one user fills with uploads until they are refused. Another one then signs in, lists, puts photos into the
 * trash, deletes them for good and uploads again, and each of these has to be answered as on a disk with room.
 */
export const runFullDiskDrill = async ({ directory, say }: FullDiskDrillOptions): Promise<AttackDrillReport> => {
  const data = dataDirectoryOf(directory);
  mkdirSync(data, { recursive: true });
  const hearth = startHearth({
    directory,
    ports: await findFreePorts(),
    env: {
      HEARTH_ADMIN_USERNAME: admin.username,
      HEARTH_ADMIN_PASSWORD: admin.password,
      HEARTH_DISK_RESERVE_BYTES: String(reserveBytes),
    },
    wrap: (command) => onSmallDisk(data, diskMiB, command),
  });
  try {
    await hearth.running;
    return await drill(hearth.url, say);
  } finally {
    await endHearth(hearth);
  }
};

const drill = async (url: string, say: (doing: string) => void): Promise<AttackDrillReport> => {
  const hostile = await createUser(url, admin, 'hostile');
  const familiar = await createUser(url, admin, 'familiar');
  const filler = await openSession(url, hostile);
  const before = await openSession(url, familiar);
  const ids: string[] = [];
  for (let index = 0; index < own.photos; index++) {
    const { status, body, text } = await before.upload(own.bytes);
    if (status !== 201) throw new Error(`an upload was answered ${status}: ${text}`);
    ids.push(String(body['id']));
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
  const expect = async (expected: number, ask: () => Promise<Answer>): Promise<Answer> => {
    const askedAt = performance.now();
    const answer = await ask();
    answersMs.push(performance.now() - askedAt);
    const { status, what, text } = answer;
    if (status !== expected) problems.push(`with a full disk ${what} was answered ${status}: ${text}`);
    return answer;
  };
  await expect(507, () => before.upload(MiB));
  const session = await openSession(url, familiar, expect);
  await expect(200, () => session.call('GET', '/v1/mediaItems?limit=100'));
  for (const id of ids) await expect(204, () => session.call('DELETE', `/v1/mediaItems/${id}`));
  const trash = await expect(200, () => session.call('GET', '/v1/trash'));
  if ((trash.body as unknown as unknown[]).length !== ids.length) problems.push(`the trash holds ${trash.text}`);
  for (const id of ids) await expect(204, () => session.call('DELETE', `/v1/mediaItems/${id}?permanent=true`));
  const deletedAt = performance.now();
  let again = await session.upload(MiB);
  for (; again.status === 507 && performance.now() - deletedAt < bounds.room; again = await session.upload(MiB))
    await sleep(100);
  const roomMs = performance.now() - deletedAt;
  if (again.status !== 201) problems.push(`with room again an upload was answered ${again.status}: ${again.text}`);
  else await untilReady(session, String(again.body['id']));
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

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Session {
  call(method: string, path: string): Promise<Answer>;
  /** Uploads a photo that weighs so much. */
  upload(bytes: number): Promise<Answer>;
}

const openSession = async (
  url: string,
  credentials: Credentials,
  expect: (status: number, ask: () => Promise<Answer>) => Promise<Answer> = async (_, ask) => ask(),
): Promise<Session> => {
  const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(new URL(path, url), { method, signal: AbortSignal.timeout(60_000), ...init });
    const text = await response.text();
    return { what: `${method} ${path}`, status: response.status, text, body: text === '' ? {} : JSON.parse(text) };
  };
  const { body } = await expect(200, () =>
    ask('POST', '/v1/auth/login', {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(credentials),
    }),
  );
  const headers = { Authorization: `Bearer ${String(body['accessToken'])}` };
  return {
    call: (method, path) => ask(method, path, { headers }),
    upload: async (bytes) => {
      const photo = await makeTestPhoto({ seed: 1, width: 96, height: 72 });
      const form = new FormData();
      form.append('file', new Blob([photo, randomBytes(bytes - photo.length)]), 'photo.jpg');
      return ask('POST', '/v1/mediaItems', { headers, body: form });
    },
  };
};

const untilReady = async (session: Session, id: string): Promise<void> => {
  for (const giveUpAt = performance.now() + bounds.room; performance.now() < giveUpAt; await sleep(50)) {
    if ((await session.call('GET', `/v1/mediaItems/${id}`)).body['status'] === 'READY') return;
  }
  throw new Error(`${id} is not READY after ${bounds.room} ms`);
};
