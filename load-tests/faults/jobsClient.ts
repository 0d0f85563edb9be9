import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '@hearth/contract/jobs.ts';
import type { JobStatus } from '@hearth/contract/vocabulary.ts';

/** A client of a person's jobs that tries again while no process answers. */
export interface JobsClient {
  /** Makes a job and answers its id. */
  create(components: readonly string[]): Promise<string>;
  get(id: string): Promise<Job>;
  put(id: string, status: JobStatus): Promise<void>;
}

/** Milliseconds of trying after which the server counts as gone for good. */
const patienceMs = 60_000;

/** Opens a client; `logIn` gives an access token. */
export const openJobsClient = (url: string, logIn: () => Promise<string>): JobsClient => {
  let token: string | undefined;
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    let last = '';
    for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await sleep(200)) {
      token ??= await logIn();
      const answer = await fetch(new URL(path, url), {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch((error: unknown) => ({ status: 0, text: String(error) }));
      last = `${method} ${path} answered ${answer.status}: ${answer.text}`;
      if (answer.status === 401) token = undefined;
      else if (answer.status >= 400 && answer.status < 500) throw new Error(last);
      else if (answer.status >= 200 && answer.status < 300)
        return answer.text === '' ? undefined : JSON.parse(answer.text);
    }
    throw new Error(last);
  };
  return {
    create: async (components) => ((await ask('POST', '/v1/jobs', { components })) as Job).id,
    get: async (id) => (await ask('GET', `/v1/jobs/${id}`)) as Job,
    put: async (id, status) => void (await ask('PUT', `/v1/jobs/${id}`, { status })),
  };
};
