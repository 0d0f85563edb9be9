import type { Disk } from '@hearth/contract/system.ts';

/** Returns the bytes that are not free. Unlike `disk.used`, they include the reserve and files of other programs, so that used and free add up. */
export const usedBytes = ({ total, free, used }: Disk): number =>
  total === undefined || free === undefined ? used : total - free;
