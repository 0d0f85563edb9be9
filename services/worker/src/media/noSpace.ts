import { constants } from 'node:os';
import { isNoSpace as isNoSpaceOfSystem } from '@hearth/core/objects/objectErrors.ts';

/** The disk is full on which this server works. No file is to blame. */
export class NoSpaceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoSpaceError';
  }
}

/** Whether `error`, or what has caused it, is a disk that takes no more. */
export const isNoSpace = (error: unknown): boolean =>
  isNoSpaceOfSystem(error) || (error instanceof Error && (error instanceof NoSpaceError || isNoSpace(error.cause)));

/** Whether FFmpeg says so: its errors of the system are the system's numbers, negated. */
export const isNoSpaceStatus = (status: number): boolean =>
  status === -constants.errno.ENOSPC || status === -constants.errno.EDQUOT;
