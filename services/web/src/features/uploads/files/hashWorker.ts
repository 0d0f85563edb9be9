import { toHex } from './toHex.ts';
import type { HashResponse, HashRequest } from './hashMessages.ts';
import { isText } from './isText.ts';

/** Maximum size for `crypto.subtle`, in bytes. It is five times as fast, but needs the whole file in memory. */
const wholeBytes = 32 * 1024 * 1024;

/** Bytes read at a time from larger files. */
const sliceBytes = 4 * 1024 * 1024;

self.addEventListener('message', ({ data: { id, file } }: MessageEvent<HashRequest>) => {
  void readFile(file).then(
    (found) => respond({ id, ...found }),
    () => respond({ id, checksum: undefined, isText: false }),
  );
});

const respond = (message: HashResponse): void => self.postMessage(message);

async function readFile(file: File): Promise<Omit<HashResponse, 'id'>> {
  return (await isText(file)) ? { checksum: undefined, isText: true } : { checksum: await sha256(file), isText: false };
}

async function sha256(file: File): Promise<string> {
  // Plain-HTTP pages of other hosts have no `crypto.subtle`.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (subtle !== undefined && file.size <= wholeBytes) {
    return toHex(new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer())));
  }
  const { createSHA256 } = await import('hash-wasm');
  const hash = await createSHA256();
  for (let from = 0; from < file.size; from += sliceBytes) {
    hash.update(new Uint8Array(await file.slice(from, from + sliceBytes).arrayBuffer()));
  }
  return hash.digest('hex');
}
