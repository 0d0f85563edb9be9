import type { ChildLimits } from '../sandbox/confinement/childLimits.ts';

/**
 * The limits of one file in exiftool. Of the 249 photos and videos of the test media the most demanding one took 0.22 s including the start
 * of perl, 42 MB and 1.5 kB of output (2026-11).
 */
export const exiftoolBounds = {
  /** Seconds of processor time for one file. */
  cpuSeconds: 5,
  /**
   * Milliseconds from the start, for a process that waits instead of computing. A process that computes reaches its processor time before, also on a
   * twentieth of a core: what a file costs then does not depend on what else the machine does.
   */
  elapsedMs: 120_000,
  /** Bytes of resident memory at any time. */
  residentBytes: 400e6,
  /** Bytes of output for one file. */
  outputBytes: 1024 * 1024,
  /** A process above this memory, or above this CPU time in its whole life, is replaced once its file is read. */
  retiredBytes: 100e6,
  retiredCpuSeconds: 30,
  /** Milliseconds for a failed process to write its error message. */
  endMs: 1_000,
} as const;

/**
 * The limits that the system enforces, also on a process whose worker is frozen. They allow a preview of 60 MB, that of a camera of 150
 * megapixels.
 */
export const exiftoolLimits: ChildLimits = {
  addressSpaceBytes: 400_000 * 1024,
  cpuSeconds: 60,
  openFiles: 64,
  fileBytes: 256 * 1024 * 1024,
};

/** The environment of exiftool: none of this process's variables. Without `LANG` perl complains about the locale. */
export const exiftoolEnvironment = { LANG: 'C' };
