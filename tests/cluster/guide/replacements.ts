/** The reader's actual values. */
export interface LocalSettings {
  /** Tag of the last built images. */
  readonly tag: string;
  /** Local ports of the library, of the bucket, and of the proxy in front of the library. */
  readonly ports: { readonly library: number; readonly bucket: number; readonly proxy: number };
  /** Folder for backups. */
  readonly backup: string;
  readonly adminPassword: string;
}

/** A replacement of an example in the guide. */
export interface ValueReplacement {
  /** Page with the example. Undefined means every page. */
  readonly page?: string;
  readonly example: string;
  readonly own: (settings: LocalSettings) => string;
  /** Reason for the difference from the page. */
  readonly reason: string;
}

const portReason = 'the port of this machine may be that of another program';
const addressReason = 'the address is the reader’s own';

/** All differences between the guide's commands and those that are run. */
export const replacements: readonly ValueReplacement[] = [
  {
    page: 'user-guide/deployment',
    example: 'mine-20261126-1830',
    own: ({ tag }) => tag,
    reason: 'values.yaml gets the tag that the build has printed',
  },
  {
    page: 'user-guide/deployment',
    example: 'https://photos.example.org',
    own: ({ ports }) => `https://photos.example.org:${ports.proxy}`,
    reason: `${addressReason}, and no test takes the port 443`,
  },
  {
    page: 'user-guide/load-tests',
    example: 'https://photos.example.org',
    own: ({ ports }) => `http://127.0.0.1:${ports.library}`,
    reason: addressReason,
  },
  {
    page: 'user-guide/load-tests',
    example: 'HEARTH_ADMIN_PASSWORD=…',
    own: ({ adminPassword }) => `HEARTH_ADMIN_PASSWORD=${adminPassword}`,
    reason: 'the password is the reader’s own',
  },
  {
    page: 'user-guide/load-tests',
    example: '--photos small',
    own: () => '--photos small --slowness 30',
    reason: 'the page says so for slow machines, and this one runs the cluster and its tests',
  },
  { example: 'hearth-api 5001:80', own: ({ ports }) => `hearth-api ${ports.library}:80`, reason: portReason },
  { example: 'http://127.0.0.1:5001', own: ({ ports }) => `http://127.0.0.1:${ports.library}`, reason: portReason },
  { example: 'hearth-minio 9000:9000', own: ({ ports }) => `hearth-minio ${ports.bucket}:9000`, reason: portReason },
  { example: 'http://127.0.0.1:9000', own: ({ ports }) => `http://127.0.0.1:${ports.bucket}`, reason: portReason },
  { example: '/mnt/backup/hearth', own: ({ backup }) => backup, reason: 'the other disk is the reader’s own' },
];

/** Replaces the examples in a code block by the reader's values. */
export const replaceValues = (page: string, code: string, settings: LocalSettings): string =>
  replacements
    .filter((each) => each.page === undefined || each.page === page)
    .reduce((text, { example, own }) => text.replaceAll(example, () => own(settings)), code);
