import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { openBox, type Box, type BoxUse, type Confine } from './box.ts';
import { bubblewrap } from './bubblewrap.ts';
import { landlock } from './landlock.ts';
import { explainProbe } from './probe.ts';
import { readablePaths } from './readablePaths.ts';
import { makeCallFilter } from './callFilter.ts';

/** Keeps what opens files of strangers from everything but the one file it is to open. */
export interface Confinement {
  readonly kind: ConfinementKind;
  /** Why nothing stronger is used, one reason for each that was tried. */
  readonly weaker: readonly string[];
  openBox(use: BoxUse): Box;
}

/**
 * `bubblewrap`: no network, no other process, no other file. `landlock`: the same, but processes of the same user can be signalled. `none`: a child may
 * do what this user may.
 */
export type ConfinementKind = 'bubblewrap' | 'landlock' | 'none';

/** Where children are confined to, and by what. */
export interface ConfinementOptions {
  /** Hidden from them. */
  readonly dataDirectory: string;
  /** In which their boxes are made. */
  readonly scratchDirectory: string;
  /** The program that reads metadata, where it is not the one that comes with npm. */
  readonly exiftool?: string | undefined;
  /** What to try, the strongest first; all that there is, unless given. */
  readonly kinds?: readonly Exclude<ConfinementKind, 'none'>[] | undefined;
  /** Folders in which the programs are looked for. */
  readonly path?: string | undefined;
}

/** Finds the strongest confinement that this system lets us have, by trying each: a program that is there may still not be allowed to do it. */
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
    const confine = await prepare(found, options);
    const open = (use: BoxUse): Box => openBox(join(scratchDirectory, `box-${randomUUID()}`), use, confine);
    const problem = await explainProbe(open('write'), scratchDirectory);
    if (problem === undefined) return { kind, weaker, openBox: open };
    weaker.push(`${program}: ${problem}`);
  }
  return { kind: 'none', weaker, openBox: () => unconfined };
}

/** What is without a box: as free as this process. */
export const unconfined: Box = {
  confine: (command) => command,
  admit: async (path) => path,
  place: (target) => target,
  collect: async () => {},
  clear: async () => {},
  remove: async () => {},
};

interface Means {
  readonly program: string;
  readonly prepare: (program: string, options: ConfinementOptions) => Promise<Confine>;
}

const means: Readonly<Record<Exclude<ConfinementKind, 'none'>, Means>> = {
  bubblewrap: {
    program: 'bwrap',
    prepare: async (program, { dataDirectory, exiftool }) => {
      const readable = readablePaths(exiftool);
      return (command, folders) => bubblewrap(program, { readable, dataDirectory }, command, folders);
    },
  },
  landlock: {
    program: 'setpriv',
    prepare: async (program, { scratchDirectory, exiftool }) => {
      const readable = readablePaths(exiftool);
      const code = makeCallFilter(process.arch);
      const filter = join(scratchDirectory, 'call-filter');
      if (code !== undefined) await writeFile(filter, code);
      return (command, folders) =>
        landlock(program, { readable, filter: code === undefined ? undefined : filter }, command, folders);
    },
  },
};

/** Where distributions have them: not the PATH of whoever has started us. */
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
