import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileCache } from '@hearth/core/config/compileCache.ts';

const root = join(import.meta.dirname, '../../../../../..');

/** Folders of the system's programs and libraries in all distributions, and files that their loader reads. */
const system =
  '/usr /bin /sbin /lib /lib32 /lib64 /nix/store /gnu/store /etc/ld.so.cache /etc/alternatives /etc/ssl/openssl.cnf'.split(
    ' ',
  );

/** Folders of the code that decoders run: Hearth's, packages', and what Node has compiled of it. */
const code = [
  ...['node_modules', 'services/worker', 'services/core'].map((path) => join(root, path)),
  ...Object.values(compileCache),
];

/** The paths that a confined child may read besides its box: programs and code. Settings, data and people's homes are not among them. */
export const readablePaths = (exiftool: string | undefined): readonly string[] => {
  const programs = [process.execPath, ...(exiftool === undefined ? [] : [dirname(realpathSync(exiftool))])];
  const paths = [...system, ...code, ...programs].filter((path) => existsSync(path));
  return [...new Set(paths.flatMap((path) => (system.includes(path) ? path : [path, realpathSync(path)])))];
};
