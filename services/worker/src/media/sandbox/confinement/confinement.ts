import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join, dirname } from 'node:path';
import { createSandbox, type Sandbox, type SandboxUse, type Confiner } from './sandbox.ts';
import { bubblewrap } from './bubblewrap.ts';
import { landlock } from './landlock.ts';
import { explainProbe } from './probe.ts';
import { makeCallFilter } from './callFilter.ts';
import { compileCache } from '@hearth/core/config/compileCache.ts';

/** Restricts programs that open untrusted files to the one file being opened. */
export interface Confinement {
  readonly kind: ConfinementKind;
  /** Reasons why no stronger confinement is used: one per missing program and per failed variant. */
  readonly failures: readonly string[];
  createSandbox(use: SandboxUse): Sandbox;
}

/**
 * `bubblewrap`: no network, no other processes, no other files. `landlock`: the same, but processes of the same user can be signalled. `none`: all
 * rights of this user.
 */
export type ConfinementKind = 'bubblewrap' | 'landlock' | 'none';

export interface ConfinementOptions {
  /** Data folder, which is inaccessible to children. */
  readonly dataDirectory: string;
  /** Folder for the sandboxes of children. */
  readonly scratchDirectory: string;
  /** Path of exiftool, unless it is the one installed by npm. */
  readonly exiftool?: string | undefined;
  /** Kinds to try, strongest first. Default: all. */
  readonly kinds?: readonly Exclude<ConfinementKind, 'none'>[] | undefined;
  /** Search path of the sandbox programs. */
  readonly path?: string | undefined;
}

/** Finds the strongest available confinement by testing each: an installed program may lack permissions. */
export async function openConfinement(options: ConfinementOptions): Promise<Confinement> {
  const { scratchDirectory, kinds = ['bubblewrap', 'landlock'], path = systemPath } = options;
  const failures: string[] = [];
  for (const kind of kinds) {
    const { program, prepare } = sandboxPrograms[kind];
    const found = findProgram(program, path);
    if (found === undefined) {
      failures.push(`${program} is not installed`);
      continue;
    }
    const filter = await writeFilter(scratchDirectory);
    for (const confiner of prepare(found, filter, options)) {
      const createSandboxOfKind = (use: SandboxUse): Sandbox =>
        createSandbox(join(scratchDirectory, `sandbox-${randomUUID()}`), use, confiner);
      const problem = await explainProbe(createSandboxOfKind('write'), {
        scratchDirectory,
        deniesProcesses: filter !== undefined,
      });
      if (problem === undefined) return { kind, failures, createSandbox: createSandboxOfKind };
      failures.push(`${program}: ${problem}`);
    }
  }
  return { kind: 'none', failures, createSandbox: () => unconfined };
}

/** No sandbox. */
export const unconfined: Sandbox = {
  confine: (command) => command,
  addFile: async (path) => path,
  getOutputPath: (target) => target,
  moveOutput: async () => {},
  copyOutput: async () => {},
  clear: async () => {},
  isSpent: () => false,
  remove: async () => {},
  maxProcesses: Infinity,
};

interface SandboxProgram {
  readonly program: string;
  /** Returns the variants to try, strongest first. */
  readonly prepare: (program: string, filter: string | undefined, options: ConfinementOptions) => readonly Confiner[];
}

const sandboxPrograms: Readonly<Record<Exclude<ConfinementKind, 'none'>, SandboxProgram>> = {
  bubblewrap: {
    program: 'bwrap',
    prepare: (program, filter, { dataDirectory, exiftool }) => {
      const readable = listReadablePaths(exiftool);
      return [true, false].map((isInnermost) => ({
        confine: (command, paths) =>
          bubblewrap(program, { readable, dataDirectory, filter, isInnermost }, command, paths),
        // bubblewrap itself, and the first process of the new namespace, in addition to the command.
        processes: 3,
      }));
    },
  },
  landlock: {
    program: 'setpriv',
    prepare: (program, filter, { exiftool }) => {
      const readable = listReadablePaths(exiftool);
      const confine: Confiner['confine'] = (command, paths) => landlock(program, { readable, filter }, command, paths);
      return [{ confine, processes: 1 }];
    },
  },
};

/** Writes the system call filter and returns its path; undefined on CPU architectures without one. */
async function writeFilter(scratchDirectory: string): Promise<string | undefined> {
  const code = makeCallFilter(process.arch);
  if (code === undefined) return undefined;
  const path = join(scratchDirectory, 'call-filter');
  await writeFile(path, code);
  return path;
}

/** Folders where distributions install the sandbox programs. Used instead of this process's PATH. */
const systemPath = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'].join(delimiter);

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const repositoryRoot = join(import.meta.dirname, '../../../../../..');

/** Folders of system programs and libraries in all distributions, and files that their loader reads. */
const systemPaths =
  '/usr /bin /sbin /lib /lib32 /lib64 /nix/store /gnu/store /etc/ld.so.cache /etc/alternatives /etc/ssl/openssl.cnf'.split(
    ' ',
  );

/** Folders of the code of decoders: Hearth's, its packages', and Node's compile cache. */
const codePaths = [
  ...['node_modules', 'services/worker', 'services/core'].map((path) => join(repositoryRoot, path)),
  ...Object.values(compileCache),
];

/** Returns the paths that a confined child may read apart from its sandbox: programs and code, but no settings, data or home folders. */
const listReadablePaths = (exiftool: string | undefined): readonly string[] => {
  const programs = [process.execPath, ...(exiftool === undefined ? [] : [dirname(realpathSync(exiftool))])];
  const paths = [...systemPaths, ...codePaths, ...programs].filter((path) => existsSync(path));
  return [...new Set(paths.flatMap((path) => (systemPaths.includes(path) ? path : [path, realpathSync(path)])))];
};
