import { randomBytes } from 'node:crypto';
import { makeFrozenTime, metadataBombs } from '@hearth/testkit/media/makeBombs.ts';
import { makeScannedJpeg } from '@hearth/testkit/media/makeScannedJpeg.ts';
import { toPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';

/** Number of hostile files per round, for kinds with several files. */
export interface HostileCounts {
  /** Pictures with metadata nested so deeply that parsing takes over half a minute. */
  readonly nested: number;
  /** Progressive JPEGs with 400 scans, which are rejected, and as many with 99 scans, which are accepted. */
  readonly scanned: number;
}

/** A file designed to block other users' work. */
export interface HostileFile extends Photo {
  /**
   * Allowed final states. Pictures at the limits may end in either, because their decoder may time out on a busy
   * machine.
   */
  readonly allowedEnds: readonly ('READY' | 'FAILED')[];
}

/** Width and height in pixels of a picture with many scans. One scan takes its decoder 20 ms. */
const sides = [10_000, 10_000] as const;

/** Generates hostile files. Every call returns distinct files. */
export const makeHostileFiles = ({ nested, scanned }: HostileCounts): HostileFile[] => {
  const [width, height] = sides;
  const [refused, accepted] = [400, 99].map((scans) => makeScannedJpeg({ width, height, scans }));
  const bomb = (name: string, filename: string): HostileFile =>
    makeVariants(filename, metadataBombs[name]!(), ['READY']);
  return [
    bomb('2 GiB of a comment', 'comment.png'),
    bomb('700 MiB of a program’s name', 'software.png'),
    makeVariants('time.png', makeFrozenTime(), ['READY']),
    ...repeat(nested, (n) => bomb('nested descriptions', `nested-${n}.png`)),
    ...repeat(scanned, (n) => makeVariants(`scans-400-${n}.jpg`, refused!, ['FAILED'])),
    ...repeat(scanned, (n) => makeVariants(`scans-99-${n}.jpg`, accepted!, ['READY', 'FAILED'])),
  ];
};

const repeat = <Item>(count: number, make: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** Appends random bytes: decoders ignore them, but the library sees a new file. */
const makeVariants = (filename: string, bytes: Buffer, allowedEnds: HostileFile['allowedEnds']): HostileFile => ({
  ...toPhoto(filename, Buffer.concat([bytes, randomBytes(8)])),
  allowedEnds,
});
