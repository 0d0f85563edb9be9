/**
 * Bytes of a preview's colour profile at most: what fits into one segment of a JPEG. Some cameras write tables of hundreds of kB, larger
 * than the preview itself.
 */
const maxProfileBytes = 65_519;

/** Whether a preview can carry a colour profile: it must be small and describe RGB (ICC.1:2022, 7.2.6 and 7.2.9). */
export const isSmallRgbProfile = (icc: Buffer): boolean =>
  icc.length >= 128 &&
  icc.length <= maxProfileBytes &&
  icc.toString('latin1', 16, 20) === 'RGB ' &&
  icc.toString('latin1', 36, 40) === 'acsp';

/**
 * Inserts a colour profile into a JPEG that has none (ICC.1:2022, annex B.4: one segment, as the profile is small). sharp cannot do it: it
 * would convert the pixels, which are in the profile's colours already.
 */
export function embedProfile(jpeg: Buffer, icc: Buffer): Buffer {
  const mark = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1');
  mark.writeUInt16BE(mark.length - 2 + icc.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), mark, icc, jpeg.subarray(2)]);
}
