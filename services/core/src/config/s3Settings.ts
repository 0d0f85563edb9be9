/** The address of an S3 bucket, and the credentials for it. */
export interface S3Settings {
  /** `https://s3.example.org` or `http://s3:9000`, without a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** The address by which browsers reach the same store; links of files lead there. */
  readonly publicUrl: string | undefined;
  /** How much the store can hold, which S3 does not tell. */
  readonly capacityBytes: number | undefined;
}
