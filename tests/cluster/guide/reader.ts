import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { listBlocks, type CodeBlock, readPages } from '@hearth/testkit/run/guidePages.ts';
import { openShell, type Shell } from '@hearth/testkit/run/shell.ts';
import { withOwn, type OwnThings } from './ownValues.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const checkout = join(import.meta.dirname, '../../..');

/** The folder that `git clone` makes, in which all pages but the first have their commands run. */
const sources = 'hearth';

/** Somebody who has a shell, and the user guide, of which blocks are found by a part of their text. */
export interface Reader {
  readonly folder: string;
  /** What takes the place of examples. */
  own: OwnThings;
  /** Runs a block in the shell, and answers what it printed, in which there is what the page says. */
  follow(page: string, part: string): Promise<string>;
  /** Runs a block that does not end in a second terminal, and resolves once it has printed what the page says. */
  leaveRunning(page: string, part: string): Promise<Terminal>;
  /** Adds a block of values to `values.yaml`. */
  addValues(page: string, part: string): Promise<void>;
  /** Runs what a page says between its lines, or what a reader does by themselves. */
  run(commands: string): Promise<string>;
  /** As after another day: variables are gone. */
  openNewShell(): Promise<void>;
  /** The blocks that say that they are run on a cluster and were not. */
  notFollowed(): readonly string[];
  end(): Promise<void>;
}

/** A block that some test runs, this one or that of one machine. */
const isRun = (block: CodeBlock): boolean => isForShell(block) && 'test' in block.attributes;

/** Opens a shell in an empty folder. */
export const openReader = async (folder: string, first: OwnThings, variables: NodeJS.ProcessEnv): Promise<Reader> => {
  // Whose S3 this machine knows is not what the pages are about.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const env = {
    ...Object.fromEntries(inherited),
    ...variables,
    PATH: [await makePrograms(folder), dirname(toolPath('helm')), process.env['PATH']].join(':'),
    CHECKOUT: checkout,
  };
  let shell: Shell = openShell(folder, env);
  const terminals: Terminal[] = [];
  const followed = new Set<CodeBlock>();
  const take = (page: string, part: string): { readonly block: CodeBlock; readonly commands: string } => {
    const block = findBlock(page, part, isRun);
    followed.add(block);
    return { block, commands: withOwn(page, block.code, reader.own) };
  };
  const reader: Reader = {
    folder,
    own: first,
    follow: async (page, part) => {
      const { block, commands } = take(page, part);
      const output = await shell.run(commands);
      const { shows } = block.attributes;
      if (typeof shows === 'string' && !output.includes(shows))
        throw new Error(`${page}: “${shows}” is not what this prints:\n${commands}\n${output}`);
      return output;
    },
    leaveRunning: async (page, part) => {
      const { block, commands } = take(page, part);
      const terminal = openTerminal(commands, folder, env);
      terminals.push(terminal);
      await terminal.untilPrinted(String(block.attributes['goes-on']));
      return terminal;
    },
    addValues: async (page, part) => {
      const file = join(folder, sources, 'values.yaml');
      const before = parse(await readFile(file, 'utf8').catch(() => '{}')) as object;
      const block = findBlock(page, part, isValues);
      const more = parse(withOwn(page, block.code, reader.own)) as object;
      await writeFile(file, stringify(merge(before, more)));
    },
    run: (commands) => shell.run(commands),
    openNewShell: async () => {
      await shell.end();
      shell = openShell(folder, env);
      await shell.run(`cd ${sources}`);
    },
    notFollowed: () =>
      pages.flatMap(({ id, text }) =>
        listBlocks(text)
          .filter(({ attributes }) => attributes['test'] === 'cluster')
          .filter(({ code }) => ![...followed].some((block) => block.code === code))
          .map(({ code }) => `${id}: ${code}`),
      ),
    end: async () => {
      for (const terminal of terminals) await terminal.end();
      await shell.end();
    },
  };
  return reader;
};

/** Values with others in them. A list takes the place of the one before. */
const merge = (before: object, more: object): object => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(more).map(([key, value]: [string, unknown]) => {
      const old = (before as Record<string, unknown>)[key];
      return [key, isObject(old) && isObject(value) ? merge(old, value) : value];
    }),
  ),
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Programs that the pages name and whose part another one plays where this is run: `docker` is the engine of HEARTH_CONTAINER_ENGINE, `sudo` changes no
 * user, and `k3s ctr images import -` is the command of HEARTH_CLUSTER_IMPORT.
 */
const makePrograms = async (folder: string): Promise<string> => {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const scripts = {
    docker: `exec ${process.env['HEARTH_CONTAINER_ENGINE']} "$@"`,
    sudo: 'exec "$@"',
    k3s: `[ "$*" = 'ctr images import -' ] || { echo "k3s is not here" >&2; exit 1; }\nexec ${process.env['HEARTH_CLUSTER_IMPORT']}`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, name), 0o755);
  }
  return programs;
};

/** The pages of the user guide. */
export const pages = readPages('user-guide');

/** Finds the only block of a page that contains `part` and satisfies `isMeant`. @throws Error unless there is exactly one */
export const findBlock = (page: string, part: string, isMeant: (block: CodeBlock) => boolean): CodeBlock => {
  const { text = '' } = pages.find(({ id }) => id === page) ?? {};
  const found = listBlocks(text).filter((block) => isMeant(block) && block.code.includes(part));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks with “${part}”`);
  return found[0]!;
};

export const isForShell = ({ language }: CodeBlock): boolean => language === 'bash';

/** Returns true for a block of chart values. */
export const isValues = ({ language, attributes }: CodeBlock): boolean =>
  language === 'yaml' && attributes['values'] === true;
