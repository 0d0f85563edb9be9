/** What the client of `largeUploadWhole.ts` is told once. */
export interface LargeUploadRequest {
  readonly url: string;
  readonly token: string;
  /** The photo with which the file begins, in base64. */
  readonly photo: string;
  readonly sizeBytes: number;
}

/** What it says after each chunk. */
export interface LargeUploadProgress {
  readonly sentBytes: number;
}

/** What it says at the end. */
export interface LargeUploadAnswer {
  readonly status: number;
  readonly body: string;
  /** SHA-256 of all that was sent, in hex. */
  readonly checksum: string;
}
