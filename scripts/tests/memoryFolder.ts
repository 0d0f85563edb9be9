import { spawn } from 'node:child_process';
import { mkdtempSync, statfsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';

/** Bytes of memory that must be free: the files of a run take less than a quarter of them, beside what its processes take. */
const neededBytes = 6 * 2 ** 30;

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';

/** Waits until its input ends, then for the servers that end with the same process, and removes the folder. */
const removal =
  'cat >/dev/null; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; [ -z "$(ls "$0")" ] && break; done; rm -rf "$0"';

/** Makes a folder in memory that goes away with this process, however that ends; `undefined` where there is not plenty of memory. */
export const makeMemoryFolder = (): string | undefined => {
  if (!hasPlenty()) return undefined;
  const folder = mkdtempSync(join(memory, 'hearth-tests-'));
  const remover = spawn('/bin/sh', ['-c', removal, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  remover.unref();
  (remover.stdin as Socket).unref();
  return folder;
};

const hasPlenty = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
};
