import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

export interface SigningSecrets {
  /** Current secret, for all new signatures. */
  readonly secret: string;
  /** Previous secrets. Their signatures are accepted until they expire, so that a rotation disturbs no user. */
  readonly previous: readonly string[];
}

/** HMAC keys with public ids. */
export interface SigningKeys {
  /** Id of the current key, which makes all new signatures. */
  readonly currentId: string;
  readonly current: KeyObject;
  /** Returns the current or previous key with this id. */
  find(id: string): KeyObject | undefined;
}

export const createSigningKeys = ({ secret, previous }: SigningSecrets): SigningKeys => {
  const keys = new Map([...previous, secret].map((each) => [keyId(each), createSecretKey(each, 'utf8')]));
  const currentId = keyId(secret);
  return { currentId, current: keys.get(currentId)!, find: (id) => keys.get(id) };
};

/** Returns a public id of a secret that does not reveal it: eight characters of its hash. */
export const keyId = (secret: string): string =>
  createHash('sha256').update(`hearth key id ${secret}`).digest('base64url').slice(0, 8);
