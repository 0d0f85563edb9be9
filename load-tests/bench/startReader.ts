import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePorts } from '../faults/hearth.ts';
import type { Reader } from './readQuestions.ts';
import { measureStart } from './measureStart.ts';
import { startOptions } from './startOptions.ts';

/** API processes on a database, one for each of its users: what a process has just answered makes its next answer quicker. */
export interface ReaderApi {
  readonly userIds: readonly string[];
  /** Signs every user in, for a quarter of an hour. */
  signIn(): Promise<Reader[]>;
  stop(): Promise<void>;
}

const administrator = { username: 'keeper', password: 'the-password-of-a-bench' } as const;
const program = fileURLToPath(new URL('../../services/api/src/main.ts', import.meta.url));

/** Makes so many users of a database, and starts the API for each as a cluster runs it. */
export const startReader = async (databaseUrl: string, directory: string, userCount: number): Promise<ReaderApi> => {
  const env = {
    ...(await startOptions()),
    HEARTH_METRICS_PORT: '0',
    HEARTH_LOG_LEVEL: 'warn',
    HEARTH_ADMIN_USERNAME: administrator.username,
    HEARTH_ADMIN_PASSWORD: administrator.password,
    HEARTH_TOKEN_SECRET: randomBytes(32).toString('hex'),
    HEARTH_LINK_SECRET: randomBytes(32).toString('hex'),
    HEARTH_DATABASE_URL: databaseUrl,
  };
  const users: { readonly id: string; readonly username: string; readonly url: string }[] = [];
  const started: { stop(): Promise<void> }[] = [];
  for (let nth = 1; nth <= userCount; nth++) {
    const ports = await findFreePorts();
    const url = `http://127.0.0.1:${ports.api}`;
    started.push(
      await measureStart({
        program,
        args: [],
        env: { ...env, HEARTH_PORT: String(ports.api), HEARTH_DATA_DIR: join(directory, `data-${ports.api}`) },
        url: `${url}/readyz`,
      }),
    );
    const username = `user-${nth}`;
    users.push({ id: await makeUser(url, username), username, url });
  }
  return {
    userIds: users.map(({ id }) => id),
    signIn: () => Promise.all(users.map(({ url, username }) => signIn(url, username))),
    stop: async () => {
      for (const each of started) await each.stop();
    },
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
