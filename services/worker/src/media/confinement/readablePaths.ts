import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../../../..');

/** The system's programs and libraries, wherever distributions have them, and what their loader reads. */
const system =
  '/usr /bin /sbin /lib /lib32 /lib64 /nix/store /gnu/store /etc/ld.so.cache /etc/alternatives /etc/ssl/openssl.cnf'.split(
    ' ',
  );

/** Hearth's code that decoders run, and that of others. */
const code = ['node_modules', 'services/worker', 'services/core'].map((path) => join(root, path));

/** What a confined child may read besides its box: programs and code. The settings, the data and the homes of people are not among them. */
export const readablePaths = (exiftool: string | undefined): readonly string[] => {
  const programs = [process.execPath, ...(exiftool === undefined ? [] : [dirname(realpathSync(exiftool))])];
  const paths = [...system, ...code, ...programs].filter((path) => existsSync(path));
  return [...new Set(paths.flatMap((path) => (system.includes(path) ? path : [path, realpathSync(path)])))];
};
