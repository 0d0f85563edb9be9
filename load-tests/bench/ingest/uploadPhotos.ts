import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CorpusPhoto } from '../corpus/photoCorpus.ts';

/** Uploads photos over a few keep-alive connections, one photo at a time on each. @throws if a response is not 201 */
export const uploadPhotos = async (
  url: string,
  token: string,
  photos: readonly CorpusPhoto[],
  connections: number,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const remaining = photos.toReversed();
  const uploadNext = async (): Promise<void> => {
    // One buffer for all photos keeps garbage collection low: the client shares the machine with the measured
    // processes.
    const buffer = Buffer.allocUnsafe(maxPhotoBytes);
    for (let photo = remaining.pop(); photo !== undefined; photo = remaining.pop()) {
      await upload(url, token, agent, photo.filename, await readFileInto(buffer, photo.path));
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, uploadNext));
  } finally {
    agent.destroy();
  }
};

const maxPhotoBytes = 8 * 1024 * 1024;

const readFileInto = async (buffer: Buffer, path: string): Promise<Buffer> => {
  await using file = await open(path);
  const { bytesRead } = await file.read(buffer);
  if (bytesRead === buffer.length) throw new Error(`${path} is larger than ${maxPhotoBytes} bytes`);
  return buffer.subarray(0, bytesRead);
};

const boundary = 'photo-of-the-corpus';

const upload = async (url: string, token: string, agent: Agent, filename: string, photo: Buffer): Promise<void> => {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const parts = [Buffer.from(head), photo, Buffer.from(`\r\n--${boundary}--\r\n`)];
  const sending = request(`${url}/v1/mediaItems`, {
    agent,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': parts.reduce((sum, { length }) => sum + length, 0),
    },
  });
  for (const part of parts) sending.write(part);
  sending.end();
  const [response] = await once(sending, 'response');
  const body = await text(response);
  if (response.statusCode !== 201)
    throw new Error(`the upload of ${filename} returned ${response.statusCode}: ${body}`);
};
