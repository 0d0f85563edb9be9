/** The address and credentials of an S3 bucket. */
export interface S3Settings {
  /** `https://s3.example.org` or `http://s3:9000`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** The address of the same store for browsers, used in direct links. */
  readonly publicUrl: string | undefined;
  /** The capacity of the store, which S3 does not report. */
  readonly capacityBytes: number | undefined;
}
