/** Initial message to the client process of `largeUploadSingle.ts`. */
export interface LargeUploadRequest {
  readonly url: string;
  readonly token: string;
  /** The photo at the beginning of the file, in Base64. */
  readonly photo: string;
  readonly sizeBytes: number;
}

/** The client's message after each chunk. */
export interface LargeUploadProgress {
  readonly sentBytes: number;
}

/** The client's last message. */
export interface LargeUploadResult {
  readonly status: number;
  readonly body: string;
  /** SHA-256 of all bytes sent, in hex. */
  readonly checksum: string;
}
