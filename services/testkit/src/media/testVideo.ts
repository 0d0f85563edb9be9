import { makeTestPhoto } from '../pictures/testPhoto.ts';

export interface TestVideoOptions {
  readonly seed: number;
  readonly frames: number;
  readonly width?: number;
  readonly height?: number;
}

/** Frames per second. */
const rate = 25;

/**
 * Makes an AVI of Motion JPEG, which no browser plays. Three pictures alternate for any number of frames, so that
 * transcoding takes a while.
 */
export const makeTestVideo = async (options: TestVideoOptions): Promise<Buffer> => {
  const { seed, frames, width = 1280, height = 720 } = options;
  const pictures = await Promise.all([0, 1, 2].map((n) => makeTestPhoto({ seed: seed * 3 + n, width, height })));
  const chunks = Array.from({ length: frames }, (_, n) => chunk('00dc', pictures[n % pictures.length]!));
  const main = words([1e6 / rate, 0, 0, 0, frames, 0, 1, 0, width, height, 0, 0, 0, 0]);
  const stream = Buffer.concat([Buffer.from('vidsMJPG'), words([0, 0, 0, 1, rate, 0, frames, 0, 0, 0, 0, 0])]);
  const format = words([40, width, height, 24 * 2 ** 16 + 1, 0x47504a4d, width * height * 3, 0, 0, 0, 0]);
  const track = list('strl', chunk('strh', stream), chunk('strf', format));
  return chunk('RIFF', Buffer.from('AVI '), list('hdrl', chunk('avih', main), track), list('movi', ...chunks));
};

const list = (kind: string, ...contents: Buffer[]): Buffer => chunk('LIST', Buffer.from(kind), ...contents);

/** Builds a RIFF chunk: type, length, contents, padded to an even length. */
const chunk = (kind: string, ...contents: Buffer[]): Buffer => {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([Buffer.from(kind), words([length]), ...contents, Buffer.alloc(length % 2)]);
};

/** Encodes 32-bit little-endian numbers. */
const words = (numbers: readonly number[]): Buffer => Buffer.from(new Uint32Array(numbers).buffer);
