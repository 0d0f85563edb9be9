/**
 * Maximum size of a preview's colour profile: it must fit into one JPEG segment. Some cameras write profiles of hundreds of kB, larger than the
 * preview.
 */
const maxProfileBytes = 65_519;

/** True if a preview can keep a colour profile: it must be small and RGB (ICC.1:2022, 7.2.6 and 7.2.9). */
export const isSmallRgbProfile = (icc: Buffer): boolean =>
  icc.length >= 128 &&
  icc.length <= maxProfileBytes &&
  icc.toString('latin1', 16, 20) === 'RGB ' &&
  icc.toString('latin1', 36, 40) === 'acsp';

/**
 * Inserts a small colour profile into a JPEG without one, as one segment (ICC.1:2022, annex B.4). sharp would convert the pixels, which already are
 * in the profile's colour space.
 */
export function embedProfile(jpeg: Buffer, icc: Buffer): Buffer {
  const segmentHeader = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1');
  segmentHeader.writeUInt16BE(segmentHeader.length - 2 + icc.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segmentHeader, icc, jpeg.subarray(2)]);
}
