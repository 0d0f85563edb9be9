import type { ChildLimits } from './childLimits.ts';

/**
 * What one file may take of exiftool. Of the 249 photos and videos of the test media the hungriest took 0.22 s with the start of perl, 42 MB and
 * 1.5 kB of output (2026-11).
 */
export const exiftoolBounds = {
  /** Processor time for one file. */
  cpuSeconds: 5,
  /** Memory at any time. */
  residentBytes: 400e6,
  /** Answers of one file, all of them together. */
  outputBytes: 1024 * 1024,
  /** Above that, or after that much processor time in its whole life, a process is replaced once its file is read. */
  retiredBytes: 100e6,
  retiredCpuSeconds: 30,
  /** Milliseconds in which a process that has failed may say why. */
  endMs: 1_000,
} as const;

/** What the system enforces, also on a process whose worker is frozen. Enough for a preview of 60 MB, that of a camera of 150 megapixels. */
export const exiftoolLimits: ChildLimits = {
  addressSpaceBytes: 400_000 * 1024,
  cpuSeconds: 60,
  openFiles: 64,
  fileBytes: 256 * 1024 * 1024,
};

/** Nothing of our own environment is handed on; without `LANG` perl complains about the locale. */
export const exiftoolEnvironment = { LANG: 'C' };
