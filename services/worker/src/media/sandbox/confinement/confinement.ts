import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join, dirname } from 'node:path';
import { openBox, type Box, type BoxUse, type Confiner } from './box.ts';
import { bubblewrap } from './bubblewrap.ts';
import { landlock } from './landlock.ts';
import { explainProbe } from './probe.ts';
import { makeCallFilter } from './callFilter.ts';
import { compileCache } from '@hearth/core/config/compileCache.ts';

/** Keeps programs that open untrusted files from everything but the one file to open. */
export interface Confinement {
  readonly kind: ConfinementKind;
  /** Why no stronger confinement is used: one reason for each that was tried. */
  readonly weaker: readonly string[];
  openBox(use: BoxUse): Box;
}

/**
 * `bubblewrap`: no network, no other process, no other file. `landlock`: the same, but processes of the same user can be signalled. `none`: a child may
 * do what this user may.
 */
export type ConfinementKind = 'bubblewrap' | 'landlock' | 'none';

/** What children are confined to, and by what. */
export interface ConfinementOptions {
  /** The data folder, which children cannot see. */
  readonly dataDirectory: string;
  /** The folder for the children's boxes. */
  readonly scratchDirectory: string;
  /** The path of exiftool, where it is not the one that comes with npm. */
  readonly exiftool?: string | undefined;
  /** The kinds to try, the strongest first; all kinds if undefined. */
  readonly kinds?: readonly Exclude<ConfinementKind, 'none'>[] | undefined;
  /** Folders in which the programs are looked for. */
  readonly path?: string | undefined;
}

/** Finds the strongest confinement that this system allows, by trying each: a program that exists may still not be allowed to work. */
export async function openConfinement(options: ConfinementOptions): Promise<Confinement> {
  const { scratchDirectory, kinds = ['bubblewrap', 'landlock'], path = systemPath } = options;
  const weaker: string[] = [];
  for (const kind of kinds) {
    const { program, prepare } = means[kind];
    const found = findProgram(program, path);
    if (found === undefined) {
      weaker.push(`${program} is not installed`);
      continue;
    }
    const filter = await writeFilter(scratchDirectory);
    for (const confiner of prepare(found, filter, options)) {
      const open = (use: BoxUse): Box => openBox(join(scratchDirectory, `box-${randomUUID()}`), use, confiner);
      const problem = await explainProbe(open('write'), { scratchDirectory, isAlone: filter !== undefined });
      if (problem === undefined) return { kind, weaker, openBox: open };
      weaker.push(`${program}: ${problem}`);
    }
  }
  return { kind: 'none', weaker, openBox: () => unconfined };
}

/** The box of a command that is not confined. */
export const unconfined: Box = {
  confine: (command) => command,
  admit: async (path) => path,
  place: (target) => target,
  collect: async () => {},
  copyOut: async () => {},
  clear: async () => {},
  isSpent: () => false,
  remove: async () => {},
  processes: Infinity,
};

interface Means {
  readonly program: string;
  /** The ways to use it, the strongest first. */
  readonly prepare: (program: string, filter: string | undefined, options: ConfinementOptions) => readonly Confiner[];
}

const means: Readonly<Record<Exclude<ConfinementKind, 'none'>, Means>> = {
  bubblewrap: {
    program: 'bwrap',
    prepare: (program, filter, { dataDirectory, exiftool }) => {
      const readable = readablePaths(exiftool);
      return [true, false].map((isInnermost) => ({
        confine: (command, paths) =>
          bubblewrap(program, { readable, dataDirectory, filter, isInnermost }, command, paths),
        // bubblewrap waits outside, and as the first process of the new namespace.
        processes: 3,
      }));
    },
  },
  landlock: {
    program: 'setpriv',
    prepare: (program, filter, { exiftool }) => {
      const readable = readablePaths(exiftool);
      const confine: Confiner['confine'] = (command, paths) => landlock(program, { readable, filter }, command, paths);
      return [{ confine, processes: 1 }];
    },
  },
};

/** The path of a file with the filter of system calls, or undefined where this machine's are not known. */
async function writeFilter(scratchDirectory: string): Promise<string | undefined> {
  const code = makeCallFilter(process.arch);
  if (code === undefined) return undefined;
  const path = join(scratchDirectory, 'call-filter');
  await writeFile(path, code);
  return path;
}

/** Folders in which distributions put these programs: not the PATH of our environment. */
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
const readablePaths = (exiftool: string | undefined): readonly string[] => {
  const programs = [process.execPath, ...(exiftool === undefined ? [] : [dirname(realpathSync(exiftool))])];
  const paths = [...system, ...code, ...programs].filter((path) => existsSync(path));
  return [...new Set(paths.flatMap((path) => (system.includes(path) ? path : [path, realpathSync(path)])))];
};
