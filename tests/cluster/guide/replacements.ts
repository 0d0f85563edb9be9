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
  readonly getValue: (settings: LocalSettings) => string;
  /** Reason for the difference from the page. */
  readonly reason: string;
}

const portReason = 'the port in the example may be in use on this machine';
const addressReason = 'readers have their own address';

/** All differences between the guide's commands and those that are run. */
export const replacements: readonly ValueReplacement[] = [
  {
    page: 'user-guide/deployment',
    example: 'mine-20261126-1830',
    getValue: ({ tag }) => tag,
    reason: 'values.yaml needs the tag that the build printed',
  },
  {
    page: 'user-guide/deployment',
    example: 'https://photos.example.org',
    getValue: ({ ports }) => `https://photos.example.org:${ports.proxy}`,
    reason: `${addressReason}, and tests must not use port 443`,
  },
  {
    page: 'user-guide/load-tests',
    example: 'https://photos.example.org',
    getValue: ({ ports }) => `http://127.0.0.1:${ports.library}`,
    reason: addressReason,
  },
  {
    page: 'user-guide/load-tests',
    example: 'HEARTH_ADMIN_PASSWORD=…',
    getValue: ({ adminPassword }) => `HEARTH_ADMIN_PASSWORD=${adminPassword}`,
    reason: 'readers have their own password',
  },
  {
    page: 'user-guide/load-tests',
    example: '--photos small',
    getValue: () => '--photos small --slowness 30',
    reason: 'the page recommends this for slow machines, and this machine also runs the cluster',
  },
  { example: 'hearth-api 5001:80', getValue: ({ ports }) => `hearth-api ${ports.library}:80`, reason: portReason },
  {
    example: 'http://127.0.0.1:5001',
    getValue: ({ ports }) => `http://127.0.0.1:${ports.library}`,
    reason: portReason,
  },
  {
    example: 'hearth-minio 9000:9000',
    getValue: ({ ports }) => `hearth-minio ${ports.bucket}:9000`,
    reason: portReason,
  },
  { example: 'http://127.0.0.1:9000', getValue: ({ ports }) => `http://127.0.0.1:${ports.bucket}`, reason: portReason },
  { example: '/mnt/backup/hearth', getValue: ({ backup }) => backup, reason: 'readers have their own backup disk' },
];

/** Replaces the examples in a code block by the reader's values. */
export const replaceValues = (page: string, code: string, settings: LocalSettings): string =>
  replacements
    .filter((each) => each.page === undefined || each.page === page)
    .reduce((text, { example, getValue }) => text.replaceAll(example, () => getValue(settings)), code);
