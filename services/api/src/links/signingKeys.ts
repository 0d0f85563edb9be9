import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

export interface SigningSecrets {
  /** The current secret, which makes all new signatures. */
  readonly secret: string;
  /** Earlier secrets. Their signatures are accepted until they expire, so that no user notices a change of the secret. */
  readonly previous: readonly string[];
}

/** HMAC keys, each with a public id. */
export interface SigningKeys {
  /** The id of the key that makes all new signatures. */
  readonly currentId: string;
  readonly current: KeyObject;
  /** The key, current or earlier, with this id. */
  find(id: string): KeyObject | undefined;
}

export const createSigningKeys = ({ secret, previous }: SigningSecrets): SigningKeys => {
  const keys = new Map([...previous, secret].map((each) => [keyId(each), createSecretKey(each, 'utf8')]));
  const currentId = keyId(secret);
  return { currentId, current: keys.get(currentId)!, find: (id) => keys.get(id) };
};

/** Names a secret without giving it away: eight characters of its hash. */
export const keyId = (secret: string): string =>
  createHash('sha256').update(`hearth key id ${secret}`).digest('base64url').slice(0, 8);
