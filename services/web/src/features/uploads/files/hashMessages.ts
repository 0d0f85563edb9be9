export interface HashQuestion {
  readonly id: number;
  readonly file: File;
}

/** `checksum` is undefined for text and for an unreadable file. */
export interface HashAnswer {
  readonly id: number;
  readonly checksum: string | undefined;
  readonly isText: boolean;
}
