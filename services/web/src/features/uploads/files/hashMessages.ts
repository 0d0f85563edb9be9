export interface HashRequest {
  readonly id: number;
  readonly file: File;
}

/** `checksum` is undefined for text and for an unreadable file. */
export interface HashResponse {
  readonly id: number;
  readonly checksum: string | undefined;
  readonly isText: boolean;
}
