import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import type { RenderedPhoto } from '@hearth/worker/media/photo/renderPhoto.ts';
import { openTestDecoders } from '../decoders/testDecoders.ts';

/** Maximum pixels of `openRenderer`. */
export const maxTestPixels = 20e6;

/** Opens decoders for a test file, closed after its last test. Returns a function that renders a photo from its bytes. */
export async function openRenderer(): Promise<(bytes: Buffer) => Promise<RenderedPhoto>> {
  const pool = openTestDecoders({ size: 2, timeoutMs: 60_000, memoryLimitBytes: 2e9, maxPixels: maxTestPixels });
  const folder = await mkdtemp(join(tmpdir(), 'hearth-render-'));
  let files = 0;
  after(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });
  return async (bytes) => {
    const path = join(folder, `${(files += 1)}`);
    await writeFile(path, bytes);
    return pool.renderPhoto(path);
  };
}

/** Makes a 400 × 300 picture of one colour, not yet encoded. */
export function makeFlatImage(background: string | { r: number; g: number; b: number; alpha: number }): Sharp {
  return sharp({ create: { width: 400, height: 300, channels: typeof background === 'string' ? 3 : 4, background } });
}
