import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import { createSigningKeys, type SigningSecrets } from './signingKeys.ts';

/** Signs the values of a link with HMAC-SHA-256 and verifies signatures. */
export interface LinkSigner {
  /** Id of the current signing key. */
  readonly key: string;
  /** Signs all values of a link with the current key. */
  sign(values: readonly unknown[]): string;
  /** Returns true if the current or a previous key with this id made the signature. */
  isValid(values: readonly unknown[], key: string, signature: string): boolean;
}

/** Query parameters of every signed link. */
export interface SignedQuery {
  /** Unix time in seconds. */
  readonly expires: number;
  /** Id of the signing key. */
  readonly key: string;
  readonly signature: string;
}

export interface SignedLinksOptions extends SigningSecrets {
  /** Prefix of every link. If empty, links are paths on the requested host. */
  readonly baseUrl: string;
}

/**
 * Creates a signer. The first value of a link must identify its kind, as a name or an object key does, so that a
 * signature of one kind is never valid for another.
 */
export const createLinkSigner = (secrets: SigningSecrets): LinkSigner => {
  const keys = createSigningKeys(secrets);
  return {
    key: keys.currentId,
    sign: (values) => computeSignature(keys.current, [...values, keys.currentId]),
    isValid: (values, signedBy, signature) => {
      const signer = keys.find(signedBy);
      if (signer === undefined) return false;
      // Compares text, because several base64url texts can decode to the same bytes.
      const expected = Buffer.from(computeSignature(signer, [...values, signedBy]));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
};

const computeSignature = (secret: KeyObject, values: readonly unknown[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(values)).digest('base64url');
