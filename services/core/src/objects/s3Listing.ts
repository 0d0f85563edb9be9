import { text } from 'node:stream/consumers';
import { StoreError } from './objectErrors.ts';
import type { ObjectInfo } from './objects.ts';
import type { S3Bucket } from './s3Bucket.ts';
import { attemptS3 } from './s3Errors.ts';

/** One answer to ListObjectsV2. */
interface Page {
  readonly objects: readonly ObjectInfo[];
  /** Names the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * Everything in the bucket whose name begins with `prefix`, page by page as it is asked for, also what is no object of ours. We read the
 * answers by ourselves: the client takes a key `007` for `7`, an answer that is no listing for an empty one, and six times
 * as much of the processor (measured in 2026-11 on 20,000 keys: 48 µs a key and not 8).
 */
export async function* listS3(bucket: S3Bucket, prefix: string): AsyncGenerator<ObjectInfo, void> {
  for (let token: string | undefined = ''; token !== undefined;) {
    const page: Page = await attemptS3(`list "${prefix}"`, askForPage(bucket, prefix, token));
    yield* page.objects;
    token = page.next;
  }
}

const askForPage = async ({ client, name, pageSize }: S3Bucket, prefix: string, token: string): Promise<Page> => {
  const query = [
    ...(token === '' ? [] : [`continuation-token=${encodeURIComponent(token)}`]),
    'list-type=2',
    `max-keys=${pageSize}`,
    `prefix=${encodeURIComponent(prefix)}`,
  ].join('&');
  const answer = await text(await client.makeRequestAsync({ method: 'GET', bucketName: name, query }));
  if (!/<ListBucketResult[ >]/.test(answer)) throw new StoreError(`list "${prefix}": the answer is no listing`);
  const next = valueOf(answer, 'IsTruncated') === 'true' ? valueOf(answer, 'NextContinuationToken') : undefined;
  // Without end the listing would begin again, or end early.
  if (next === token || next === '') throw new StoreError(`list "${prefix}": the store does not say what follows`);
  return {
    objects: Array.from(answer.matchAll(/<Contents>(.*?)<\/Contents>/gs), ([, object = '']) => infoOf(object)),
    next,
  };
};

/** A multipart upload that was begun and not ended. */
export interface UnfinishedUpload {
  readonly writeId: string;
  readonly begunAt: Date;
}

/** The unfinished uploads of one key, a thousand of them at most: more than anything leaves behind for one key. */
export const listS3UploadsOf = async ({ client, name }: S3Bucket, key: string): Promise<UnfinishedUpload[]> => {
  const what = `list the unfinished uploads of ${key}`;
  const query = `max-uploads=1000&prefix=${encodeURIComponent(key)}&uploads`;
  const answer = await attemptS3(what, client.makeRequestAsync({ method: 'GET', bucketName: name, query }).then(text));
  if (!/<ListMultipartUploadsResult[ >]/.test(answer)) throw new StoreError(`${what}: the answer is no listing`);
  return Array.from(answer.matchAll(/<Upload>(.*?)<\/Upload>/gs), ([, upload = '']) => upload)
    .filter((upload) => valueOf(upload, 'Key') === key)
    .map((upload) => ({ writeId: valueOf(upload, 'UploadId'), begunAt: new Date(valueOf(upload, 'Initiated')) }));
};

/** HEAD tells whole seconds only, and both have to tell the same. */
const infoOf = (object: string): ObjectInfo => ({
  key: valueOf(object, 'Key'),
  sizeBytes: Number(valueOf(object, 'Size')),
  modifiedAt: new Date(Math.floor(Date.parse(valueOf(object, 'LastModified')) / 1_000) * 1_000),
});

const valueOf = (xml: string, tag: string): string => {
  const start = xml.indexOf(`<${tag}>`) + tag.length + 2;
  const end = xml.indexOf(`</${tag}>`, start);
  return start < tag.length + 2 || end < 0 ? '' : unescape(xml.slice(start, end));
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescape = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) =>
        name === undefined ? String.fromCodePoint(Number(decimal ?? `0x${hex}`)) : (entities[name] ?? whole),
      )
    : text;
