import type { ByteRange } from './objects.ts';

/** Checks that a range lies within an object of `sizeBytes`; an empty object has no range. @throws RangeError */
export const checkRange = (key: string, { first, last }: ByteRange, sizeBytes: number): void => {
  const isWithin =
    Number.isSafeInteger(first) && Number.isSafeInteger(last) && 0 <= first && first <= last && last < sizeBytes;
  if (!isWithin) throw new RangeError(`bytes ${first}–${last} do not lie within object ${key} of ${sizeBytes} bytes`);
};
