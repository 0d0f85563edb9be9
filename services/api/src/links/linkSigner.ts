import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { createSigningKeys, type SigningSecrets } from './signingKeys.ts';

/** Signs the values of a link with HMAC-SHA-256, and checks signatures. */
export interface LinkSigner {
  /** The id of the key that signs new links. */
  readonly key: string;
  /** Signs all values of a link with the current key. */
  sign(values: readonly unknown[]): string;
  /** Whether the key with this id, current or earlier, has made this signature of these values. */
  isRight(values: readonly unknown[], key: string, signature: string): boolean;
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
  /** The beginning of every link. If it is empty, links are paths on the host of the request. */
  readonly baseUrl: string;
}

/** The first value of a link names its kind, so that a signature of one kind is never valid for another. */
export const createLinkSigner = (secrets: SigningSecrets): LinkSigner => {
  const keys = createSigningKeys(secrets);
  return {
    key: keys.currentId,
    sign: (values) => signatureOf(keys.current, [...values, keys.currentId]),
    isRight: (values, signedBy, signature) => {
      const signer = keys.find(signedBy);
      if (signer === undefined) return false;
      // The texts are compared, because base64url can write the same bytes in several ways.
      const expected = Buffer.from(signatureOf(signer, [...values, signedBy]));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};

const signatureOf = (secret: KeyObject, values: readonly unknown[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(values)).digest('base64url');
