import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Makes the Secrets of the release that are missing, and in those that are there the keys that are missing. What is there is never changed: a new
 * password would lock Hearth out of its own database. Run by a hook before each installation and upgrade, in a pod without any package.
 */

/** A key of a Secret: random, or a text in which {name} stands for the value of a key before it. */
interface Key {
  readonly key: string;
  readonly random?: 'hex' | 'password';
  readonly text?: string;
}

/** A Secret as it should be. */
interface WantedSecret {
  readonly name: string;
  readonly keys: readonly Key[];
}

/** What of a Secret is looked at; values are in base64. */
interface Secret {
  readonly metadata: { readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** What the API server has refused, by its own sentence. */
class RefusalError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(`${message} (${status})`);
    this.name = 'RefusalError';
    this.status = status;
  }

  /** A conflict, too many requests, or a server that is not well; anything else is refused the next time too. */
  get isWorthATry(): boolean {
    return this.status === 409 || this.status === 429 || this.status >= 500;
  }
}

const serviceAccount = process.env['SERVICE_ACCOUNT'] ?? '/var/run/secrets/kubernetes.io/serviceaccount';
const address =
  process.env['KUBERNETES_URL'] ??
  `https://${hostInUrl(process.env['KUBERNETES_SERVICE_HOST'] ?? '')}:${process.env['KUBERNETES_SERVICE_PORT']}`;
const namespace = readFileSync(`${serviceAccount}/namespace`, 'utf8').trim();

/** How often a change is tried again because somebody else was faster, or because the API server did not answer. */
const attempts = 20;

const wanted = JSON.parse(readFileSync(process.env['SECRETS_FILE'] ?? '', 'utf8')) as readonly WantedSecret[];
for (const secret of wanted) await ensure(secret);

async function ensure(secret: WantedSecret): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const added = await addMissingKeys(secret);
      console.log(added.length === 0 ? `${secret.name} is complete` : `${secret.name}: made ${added.join(', ')}`);
      return;
    } catch (error) {
      if (attempt === attempts || (error instanceof RefusalError && !error.isWorthATry)) throw error;
      console.log(`${secret.name}: ${(error as Error).message}; trying again`);
      await sleep(1_000);
    }
  }
}

/** Answers the keys that were added. */
async function addMissingKeys({ name, keys }: WantedSecret): Promise<readonly string[]> {
  const existing = await findSecret(name);
  const values = new Map(
    Object.entries(existing?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
  const missing = keys.filter(({ key }) => !values.get(key));
  if (missing.length === 0) return [];
  for (const key of missing) values.set(key.key, makeValue(key, values));
  const data = Object.fromEntries(
    missing.map(({ key }) => [key, Buffer.from(values.get(key) ?? '').toString('base64')]),
  );
  if (existing === undefined) {
    const labels = JSON.parse(process.env['SECRETS_LABELS'] ?? '{}') as Readonly<Record<string, string>>;
    await ask('POST', '', { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, type: 'Opaque', data });
  } else {
    // With the version that was read: a key that somebody has added meanwhile would be overwritten.
    await ask('PATCH', `/${name}`, { metadata: { resourceVersion: existing.metadata.resourceVersion }, data });
  }
  return missing.map(({ key }) => key);
}

function makeValue({ random, text = '' }: Key, values: ReadonlyMap<string, string>): string {
  if (random === 'hex') return randomBytes(32).toString('hex');
  if (random === 'password') return randomPassword();
  return text.replaceAll(/\{([^}]+)\}/g, (_, key: string) => encodeURIComponent(values.get(key) ?? ''));
}

/** About 79 random bits that a person can type: lower-case letters and digits that are not mistaken for one another, in groups of four. */
function randomPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
}

async function findSecret(name: string): Promise<Secret | undefined> {
  try {
    return (await ask('GET', `/${name}`)) as Secret;
  } catch (error) {
    if (error instanceof RefusalError && error.status === 404) return undefined;
    throw error;
  }
}

/** @throws RefusalError with the sentence of the API server, or the error of the connection */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${address}/api/v1/namespaces/${namespace}/secrets${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${readFileSync(`${serviceAccount}/token`, 'utf8').trim()}`,
      'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    signal: AbortSignal.timeout(10_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const content = (await answer.json()) as { readonly message?: string };
  if (!answer.ok) throw new RefusalError(answer.status, content.message ?? answer.statusText);
  return content;
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
