import { spawn } from 'node:child_process';
import { mkdtempSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** Free memory required, in bytes. The files of a run take less than a quarter of it, its processes the rest. */
const neededBytes = 6 * 2 ** 30;

/** Linux's tmpfs. */
const memory = '/dev/shm';

/**
 * Waits until its input ends, because this process has exited. Then gives the test servers up to 10 s to stop and empty
 * the folder, and removes it.
 */
const removeScript =
  'cat >/dev/null; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; [ -z "$(ls "$0")" ] && break; done; rm -rf "$0"';

/**
 * Creates a folder in memory that is removed when this process ends, for whatever reason. Returns undefined if memory
 * is short.
 */
export const makeMemoryFolder = (): string | undefined => {
  if (!hasEnoughMemory()) return undefined;
  const folder = mkdtempSync(join(memory, 'hearth-tests-'));
  const remover = spawn('/bin/sh', ['-c', removeScript, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  remover.unref();
  (remover.stdin as Socket).unref();
  return folder;
};

const hasEnoughMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
};
