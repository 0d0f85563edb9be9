/** What the page asks the worker that reads files. */
export interface HashQuestion {
  readonly id: number;
  readonly file: File;
}

/** `checksum` is missing where the file could not be read, and where it `isText`. */
export interface HashAnswer {
  readonly id: number;
  readonly checksum: string | undefined;
  readonly isText: boolean;
}
