/** Largest colour profile that a preview carries; cameras write tables of hundreds of kB, larger than the preview itself. */
const maxProfileBytes = 64 * 1024;

/** Whether a preview can carry a colour profile: it must be small and describe RGB (ICC.1:2022, 7.2.6 and 7.2.9). */
export const isSmallRgbProfile = (icc: Buffer): boolean =>
  icc.length >= 128 &&
  icc.length <= maxProfileBytes &&
  icc.toString('latin1', 16, 20) === 'RGB ' &&
  icc.toString('latin1', 36, 40) === 'acsp';
