import type { ChildLimits } from '../sandbox/confinement/childLimits.ts';

/**
 * Limits of exiftool per file. The most demanding of 249 photos and videos of the test media took 0.22 s including the start of perl, 42 MB, and 1.5
 * kB of output (2026-11).
 */
export const exiftoolBounds = {
  /** CPU time per file. */
  cpuSeconds: 5,
  /**
   * Timeout for a process that waits. A process that computes reaches `cpuSeconds` first, even on a twentieth of a core. So the result for a file
   * does not depend on the load of the machine.
   */
  elapsedMs: 120_000,
  /** Maximum resident memory. */
  residentBytes: 400e6,
  /** Maximum output per file. */
  outputBytes: 1024 * 1024,
  /** A process above this resident memory is replaced after its file. */
  retiredBytes: 100e6,
  /** A process above this total CPU time is replaced after its file. */
  retiredCpuSeconds: 30,
  /** Timeout for a failed process to write its error message. */
  endMs: 1_000,
} as const;

/** Limits that the system enforces, even if the worker hangs. They allow a preview of 60 MB, as in files of 150-megapixel cameras. */
export const exiftoolLimits: ChildLimits = {
  addressSpaceBytes: 400_000 * 1024,
  cpuSeconds: 60,
  openFiles: 64,
  fileBytes: 256 * 1024 * 1024,
};

/** Environment of exiftool, without any variables of this process. Without `LANG`, perl warns about the locale. */
export const exiftoolEnvironment = { LANG: 'C' };
