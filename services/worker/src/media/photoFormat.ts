import { open } from 'node:fs/promises';

/** The formats that `renderPhoto` decodes. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp';

/**
 * The format that a file's first bytes announce, or undefined for one we have no decoder for. It tells a broken
 * JPEG (corrupt) from a HEIC (no decoder here), which the decoder's own errors do not.
 */
export async function findPhotoFormat(path: string): Promise<PhotoFormat | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(12) });
    const head = buffer.toString('latin1', 0, bytesRead);
    if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
    if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
    if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'webp';
    return undefined;
  } finally {
    await file.close();
  }
}
