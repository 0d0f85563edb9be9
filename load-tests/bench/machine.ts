import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';

/** The machine and what ran on it, in words that say nothing of whose machine it is. */
export const describeMachine = (): string =>
  [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown processor'})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${platform()} ${arch()}`,
    `Node ${process.versions.node}`,
    `sharp ${versionOf('sharp')}`,
  ].join(', ');

/** The day, as tables carry it. */
export const today = (): string => new Date().toISOString().slice(0, 10);

const versionOf = (name: string): string =>
  (
    JSON.parse(readFileSync(join(import.meta.dirname, '../../node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
    }
  ).version;
