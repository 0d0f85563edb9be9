import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '../faults/hearth.ts';
import type { Reader } from './readQuestions.ts';
import { measureStart } from './measureStart.ts';
import { startOptions } from './startOptions.ts';

/** An API process on a database, with users of it. */
export interface ReaderApi {
  readonly userIds: readonly string[];
  /** Signs every user in, for a quarter of an hour. */
  signIn(): Promise<Reader[]>;
  stop(): Promise<void>;
}

const administrator = { username: 'keeper', password: 'the-password-of-a-bench' } as const;
const program = fileURLToPath(new URL('../../services/api/src/main.ts', import.meta.url));

/** Starts the API as a cluster runs it, and makes so many users. */
export const startReader = async (databaseUrl: string, directory: string, userCount: number): Promise<ReaderApi> => {
  const ports = await findFreePorts();
  const url = `http://127.0.0.1:${ports.api}`;
  const started = await measureStart({
    program,
    args: [],
    env: {
      ...(await startOptions()),
      HEARTH_PORT: String(ports.api),
      HEARTH_METRICS_PORT: '0',
      HEARTH_LOG_LEVEL: 'warn',
      HEARTH_ADMIN_USERNAME: administrator.username,
      HEARTH_ADMIN_PASSWORD: administrator.password,
      HEARTH_TOKEN_SECRET: randomBytes(32).toString('hex'),
      HEARTH_LINK_SECRET: randomBytes(32).toString('hex'),
      HEARTH_DATABASE_URL: databaseUrl,
      HEARTH_DATA_DIR: join(directory, `data-${ports.api}`),
    },
    url: `${url}/readyz`,
  });
  const usernames = Array.from({ length: userCount }, (_, index) => `user-${index + 1}`);
  const userIds: string[] = [];
  for (const username of usernames) userIds.push(await makeUser(url, username));
  return {
    userIds,
    signIn: () => Promise.all(usernames.map((username) => signIn(url, username))),
    stop: () => started.stop(),
  };
};

const password = 'the-password-of-a-reader';

/** Makes a user and answers the id. */
const makeUser = async (url: string, username: string): Promise<string> => {
  const basic = Buffer.from(`${administrator.username}:${administrator.password}`).toString('base64');
  const { id } = await post<{ id: string }>(
    `${url}/v1/users`,
    { name: username, username, password },
    `Basic ${basic}`,
  );
  return id;
};

const signIn = async (url: string, username: string): Promise<Reader> => {
  const { accessToken } = await post<{ accessToken: string }>(`${url}/v1/auth/login`, { username, password });
  return { url, token: accessToken };
};

const post = async <Result>(url: string, body: object, authorization?: string): Promise<Result> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url} answers ${response.status} ${await response.text()}`);
  return (await response.json()) as Result;
};
