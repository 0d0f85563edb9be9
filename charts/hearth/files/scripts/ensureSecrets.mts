import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * Creates missing Secrets of the release, and missing keys in existing ones. Existing values are never changed: a new
 * password would lock Hearth out of its own database.
 * Runs in a hook before each installation and upgrade, in a pod without any packages.
 */

/** A key of a Secret: a random value, or a text. {name} in the text is replaced by the value of an earlier key. */
interface Key {
  readonly key: string;
  readonly random?: 'hex' | 'password';
  readonly text?: string;
}

interface RequiredSecret {
  readonly name: string;
  readonly keys: readonly Key[];
}

/** The Secret fields that are read. Values are in Base64. */
interface Secret {
  readonly metadata: { readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** An error response of the API server, with its message. */
class RefusalError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(`${message} (${status})`);
    this.name = 'RefusalError';
    this.status = status;
  }

  /** True for conflicts, rate limits and server errors, which a retry may resolve. */
  get isRetryable(): boolean {
    return this.status === 409 || this.status === 429 || this.status >= 500;
  }
}

const serviceAccount = process.env['SERVICE_ACCOUNT'] ?? '/var/run/secrets/kubernetes.io/serviceaccount';
const address =
  process.env['KUBERNETES_URL'] ??
  `https://${hostInUrl(process.env['KUBERNETES_SERVICE_HOST'] ?? '')}:${process.env['KUBERNETES_SERVICE_PORT']}`;
const namespace = readFileSync(`${serviceAccount}/namespace`, 'utf8').trim();

/** Maximum attempts per Secret, after conflicts, server errors and connection failures. */
const maxAttempts = 20;

const requiredSecrets = JSON.parse(
  readFileSync(process.env['SECRETS_FILE'] ?? '', 'utf8'),
) as readonly RequiredSecret[];
for (const secret of requiredSecrets) await ensure(secret);

async function ensure(secret: RequiredSecret): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const added = await addMissingKeys(secret);
      console.log(added.length === 0 ? `${secret.name} is complete` : `${secret.name}: generated ${added.join(', ')}`);
      return;
    } catch (error) {
      if (attempt === maxAttempts || (error instanceof RefusalError && !error.isRetryable)) throw error;
      console.log(`${secret.name}: ${(error as Error).message}; retrying`);
      await sleep(1_000);
    }
  }
}

/** Returns the added keys. */
async function addMissingKeys({ name, keys }: RequiredSecret): Promise<readonly string[]> {
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
    await request('POST', '', { apiVersion: 'v1', kind: 'Secret', metadata: { name, labels }, type: 'Opaque', data });
  } else {
    // The resource version makes the request fail if another client has added a key in the meantime. Otherwise, this
    // request would overwrite that key.
    await request('PATCH', `/${name}`, { metadata: { resourceVersion: existing.metadata.resourceVersion }, data });
  }
  return missing.map(({ key }) => key);
}

function makeValue({ random, text = '' }: Key, values: ReadonlyMap<string, string>): string {
  if (random === 'hex') return randomBytes(32).toString('hex');
  if (random === 'password') return randomPassword();
  return text.replaceAll(/\{([^}]+)\}/g, (_, key: string) => encodeURIComponent(values.get(key) ?? ''));
}

/**
 * Returns a password with about 79 random bits that is easy to type: lower-case letters and digits without
 * similar-looking ones, in groups of four.
 */
function randomPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const characters = Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]);
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
}

async function findSecret(name: string): Promise<Secret | undefined> {
  try {
    return (await request('GET', `/${name}`)) as Secret;
  } catch (error) {
    if (error instanceof RefusalError && error.status === 404) return undefined;
    throw error;
  }
}

/** @throws RefusalError with the API server's message, or the connection error */
async function request(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${address}/api/v1/namespaces/${namespace}/secrets${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${readFileSync(`${serviceAccount}/token`, 'utf8').trim()}`,
      'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    },
    signal: AbortSignal.timeout(10_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const content = (await response.json()) as { readonly message?: string };
  if (!response.ok) throw new RefusalError(response.status, content.message ?? response.statusText);
  return content;
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
