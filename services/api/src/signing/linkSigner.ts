import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { createSigningKeys, type SigningSecrets } from './signingKeys.ts';

/** Signs what a link says, with HMAC-SHA-256, and checks it. */
export interface LinkSigner {
  /** The id of the key that signs new links. */
  readonly key: string;
  /** The signature by that key; `said` holds all that the link says. */
  sign(said: readonly unknown[]): string;
  /** Whether this is the signature of what is said, by the key of this id, new or earlier. */
  isRight(said: readonly unknown[], key: string, signature: string): boolean;
}

/** The query parameters of every signed link. */
export interface SignedQuery {
  /** Unix seconds. */
  readonly expires: number;
  /** The id of the key that signed it. */
  readonly key: string;
  readonly signature: string;
}

export interface SignedLinksOptions extends SigningSecrets {
  /** What links begin with; where it is empty, they are paths on the host that was asked. */
  readonly baseUrl: string;
}

/** Two kinds of links must never say the same: the first of what they say tells the kind apart. */
export const createLinkSigner = (secrets: SigningSecrets): LinkSigner => {
  const keys = createSigningKeys(secrets);
  return {
    key: keys.currentId,
    sign: (said) => signatureOf(keys.current, [...said, keys.currentId]),
    isRight: (said, signedBy, signature) => {
      const signer = keys.find(signedBy);
      if (signer === undefined) return false;
      // As text: base64url writes the same bytes in several ways.
      const expected = Buffer.from(signatureOf(signer, [...said, signedBy]));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};

const signatureOf = (secret: KeyObject, said: readonly unknown[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(said)).digest('base64url');
