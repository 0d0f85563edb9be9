import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { scenarioFile } from './helm.ts';
import type { KubernetesObject } from './kubernetesObject.ts';

/** Objects that a scenario expects to exist: Secrets with their keys, and volume claims. */
export interface ExistingObjects {
  readonly secrets: ReadonlyMap<string, readonly string[]>;
  readonly claims: readonly string[];
}

/** The values that name existing objects. */
interface NamingValues {
  readonly secrets?: { readonly existingSecret?: string };
  readonly postgres?: Server & { readonly existing?: { readonly urlKey?: string; readonly directUrlKey?: string } };
  readonly redis?: Server & { readonly existing?: { readonly urlKey?: string } };
  readonly minio?: Server;
  readonly s3?: { readonly existing?: { readonly secretName?: string } };
  readonly models?: { readonly existingClaim?: string };
}

interface Server {
  readonly existingSecret?: string;
  readonly existing?: { readonly secretName?: string };
  readonly persistence?: { readonly existingClaim?: string };
}

/** Returns the existing objects in a scenario's values, with the keys that README.md requires. */
export const existingObjects = (scenario: string): ExistingObjects => {
  const values = (parse(readFileSync(scenarioFile(scenario), 'utf8')) ?? {}) as NamingValues;
  const { secrets, postgres, redis, minio, s3, models } = values;
  const { urlKey = 'url', directUrlKey } = postgres?.existing ?? {};
  const named: readonly (readonly [string | undefined, readonly string[]])[] = [
    [secrets?.existingSecret, ['admin-password', 'token-secret', 'link-secret']],
    [postgres?.existingSecret, ['superuser-password', 'password', 'url']],
    [postgres?.existing?.secretName, directUrlKey ? [urlKey, directUrlKey] : [urlKey]],
    [redis?.existingSecret, ['password', 'url']],
    [redis?.existing?.secretName, [redis?.existing?.urlKey ?? 'url']],
    [minio?.existingSecret, ['access-key', 'secret-key']],
    [s3?.existing?.secretName, ['access-key', 'secret-key']],
  ];
  const claims = [postgres, redis, minio].map((server) => server?.persistence?.existingClaim);
  return {
    secrets: new Map(named.flatMap(([name, keys]) => (name ? [[name, keys] as const] : []))),
    claims: [...claims, models?.existingClaim].filter((claim) => claim !== undefined),
  };
};

/** Returns the Secrets that the Job of a release creates, with their keys. */
export const madeSecrets = (objects: readonly KubernetesObject[]): ReadonlyMap<string, readonly string[]> => {
  const text = objects.find(({ data }) => data?.['secrets.json'] !== undefined)?.data?.['secrets.json'] ?? '[]';
  const secrets = JSON.parse(text) as readonly { name: string; keys: readonly { key: string }[] }[];
  return new Map(secrets.map(({ name, keys }) => [name, keys.map(({ key }) => key)]));
};
