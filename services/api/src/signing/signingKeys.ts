import { createHash, createSecretKey, type KeyObject } from 'node:crypto';

export interface SigningSecrets {
  /** Signs what is new. */
  readonly secret: string;
  /** Earlier values of it: what they signed is accepted until it expires, so that a secret can be changed without a user noticing. */
  readonly previous: readonly string[];
}

/** Keys of HMAC, each with an id that may be shown. */
export interface SigningKeys {
  /** The id of the key that signs what is new. */
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
