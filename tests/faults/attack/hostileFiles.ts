import { randomBytes } from 'node:crypto';
import { makeFrozenTime, metadataBombs } from '@hearth/testkit/media/makeBombs.ts';
import { makeScannedJpeg } from '@hearth/testkit/media/makeScannedJpeg.ts';
import { asPhoto, type Photo } from '@hearth/testkit/hearth/photos.ts';

/** How many hostile files are sent at a time, of each kind that has several. */
export interface HostileCounts {
  /** Pictures whose metadata nests so deeply that their reader looks through it for more than half a minute. */
  readonly nested: number;
  /** Progressive JPEGs in 400 scans, which are refused, and as many in 99, which are not. */
  readonly scanned: number;
}

/** A file that is made to stop others. */
export interface HostileFile extends Photo {
  /** What becomes of it; of a picture at the limits either, as its decoder may run out of time where the machine is busy. */
  readonly ends: readonly ('READY' | 'FAILED')[];
}

/** Pixels of a picture in many scans: a scan of the larger one takes its decoder 20 ms. */
const sides = [10_000, 10_000] as const;

/** Makes hostile files, which differ from those of every other call. */
export const makeHostileFiles = ({ nested, scanned }: HostileCounts): HostileFile[] => {
  const [width, height] = sides;
  const [refused, taken] = [400, 99].map((scans) => makeScannedJpeg({ width, height, scans }));
  const bomb = (name: string, filename: string): HostileFile => differing(filename, metadataBombs[name]!(), ['READY']);
  return [
    bomb('2 GiB of a comment', 'comment.png'),
    bomb('700 MiB of a program’s name', 'software.png'),
    differing('time.png', makeFrozenTime(), ['READY']),
    ...times(nested, (n) => bomb('nested descriptions', `nested-${n}.png`)),
    ...times(scanned, (n) => differing(`scans-400-${n}.jpg`, refused!, ['FAILED'])),
    ...times(scanned, (n) => differing(`scans-99-${n}.jpg`, taken!, ['READY', 'FAILED'])),
  ];
};

const times = <Item>(count: number, make: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

/** What stands behind the end of a picture is nothing to its readers, and another file to the library. */
const differing = (filename: string, bytes: Buffer, ends: HostileFile['ends']): HostileFile => ({
  ...asPhoto(filename, Buffer.concat([bytes, randomBytes(8)])),
  ends,
});
