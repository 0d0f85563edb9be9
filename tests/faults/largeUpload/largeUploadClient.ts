import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { makeLargeFile } from './largeFile.ts';
import type { LargeUploadResult, LargeUploadProgress, LargeUploadRequest } from './largeUploadProtocol.ts';

/*
 * The client process of largeUploadSingle.ts: uploads a photo followed by padding that is generated while it is sent, so
 * that the client needs no disk space.
 */
process.once('message', (message) => void upload(message as LargeUploadRequest));

const upload = async ({ url, token, photo, sizeBytes }: LargeUploadRequest): Promise<void> => {
  const boundary = 'hearth-large-upload';
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.jpg"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  const closing = Buffer.from(`\r\n--${boundary}--\r\n`);
  const post = request(new URL('/v1/mediaItems', url), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': head.length + sizeBytes + closing.length,
    },
  });
  const pendingResponse = once(post, 'response');
  const hash = createHash('sha256');
  let sentBytes = 0;
  post.write(head);
  for (const chunk of makeLargeFile(Buffer.from(photo, 'base64'), sizeBytes).read()) {
    hash.update(chunk);
    if (!post.write(chunk)) await once(post, 'drain');
    sentBytes += chunk.length;
    process.send!({ sentBytes } satisfies LargeUploadProgress);
  }
  post.end(closing);
  const [response] = await pendingResponse;
  const body = Buffer.concat(await response.toArray()).toString();
  const result: LargeUploadResult = { status: response.statusCode, body, checksum: hash.digest('hex') };
  process.send!(result, () => process.exit());
};
