import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { listBlocks, type CodeBlock, readPages } from '@hearth/testkit/run/guidePages.ts';
import { openShell, type Shell } from '@hearth/testkit/run/shell.ts';
import { replaceValues, type LocalSettings } from './replacements.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const checkout = join(import.meta.dirname, '../../..');

/** Folder created by `git clone`. All later commands run in it. */
const sources = 'hearth';

/** A shell that runs code blocks of the user guide. A block is found by part of its text. */
export interface Reader {
  readonly folder: string;
  /** Replacements of the guide's examples. */
  settings: LocalSettings;
  /** Runs a block in the shell, checks its output against the page, and returns it. */
  follow(page: string, part: string): Promise<string>;
  /** Runs a long-running block in a second terminal. Resolves once it has printed the output on the page. */
  leaveRunning(page: string, part: string): Promise<Terminal>;
  /** Merges a block of values into `values.yaml`. */
  addValues(page: string, part: string): Promise<void>;
  /** Runs commands that are not a code block of the guide. */
  run(commands: string): Promise<string>;
  /** Opens a new shell without the variables of the old one. */
  openNewShell(): Promise<void>;
  /** Returns blocks marked for the cluster test that were not run. */
  notFollowed(): readonly string[];
  end(): Promise<void>;
}

/** Returns true for a shell block with a `test` attribute, run by this or another test. */
const isRun = (block: CodeBlock): boolean => isShellBlock(block) && 'test' in block.attributes;

/** Opens a shell in an empty folder. */
export const openReader = async (
  folder: string,
  initialSettings: LocalSettings,
  variables: NodeJS.ProcessEnv,
): Promise<Reader> => {
  // S3 settings of this machine must not affect the guide.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const env = {
    ...Object.fromEntries(inherited),
    ...variables,
    PATH: [await writePrograms(folder), dirname(toolPath('helm')), process.env['PATH']].join(':'),
    CHECKOUT: checkout,
  };
  let shell: Shell = openShell(folder, env);
  const terminals: Terminal[] = [];
  const executed = new Set<CodeBlock>();
  const findCommands = (page: string, part: string): { readonly block: CodeBlock; readonly commands: string } => {
    const block = findBlock(page, part, isRun);
    executed.add(block);
    return { block, commands: replaceValues(page, block.code, reader.settings) };
  };
  const reader: Reader = {
    folder,
    settings: initialSettings,
    follow: async (page, part) => {
      const { block, commands } = findCommands(page, part);
      const output = await shell.run(commands);
      const { shows } = block.attributes;
      if (typeof shows === 'string' && !output.includes(shows))
        throw new Error(`${page}: expected output “${shows}” of\n${commands}\nbut got:\n${output}`);
      return output;
    },
    leaveRunning: async (page, part) => {
      const { block, commands } = findCommands(page, part);
      const terminal = openTerminal(commands, folder, env);
      terminals.push(terminal);
      await terminal.untilPrinted(String(block.attributes['goes-on']));
      return terminal;
    },
    addValues: async (page, part) => {
      const file = join(folder, sources, 'values.yaml');
      const before = parse(await readFile(file, 'utf8').catch(() => '{}')) as object;
      const block = findBlock(page, part, isValuesBlock);
      const more = parse(replaceValues(page, block.code, reader.settings)) as object;
      await writeFile(file, stringify(mergeObjects(before, more)));
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
          .filter(({ code }) => ![...executed].some((block) => block.code === code))
          .map(({ code }) => `${id}: ${code}`),
      ),
    end: async () => {
      for (const terminal of terminals) await terminal.end();
      await shell.end();
    },
  };
  return reader;
};

/** Merges chart values recursively. Lists are replaced. */
const mergeObjects = (before: object, more: object): object => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(more).map(([key, value]: [string, unknown]) => {
      const old = (before as Record<string, unknown>)[key];
      return [key, isObject(old) && isObject(value) ? mergeObjects(old, value) : value];
    }),
  ),
});

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Creates wrappers for programs in the guide that differ on this machine: `docker` runs the engine of
 * HEARTH_CONTAINER_ENGINE, `sudo` runs its command without changing the user, and `k3s ctr images import -` runs
 * HEARTH_CLUSTER_IMPORT.
 */
const writePrograms = async (folder: string): Promise<string> => {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const scripts = {
    docker: `exec ${process.env['HEARTH_CONTAINER_ENGINE']} "$@"`,
    sudo: 'exec "$@"',
    k3s: `[ "$*" = 'ctr images import -' ] || { echo "k3s only supports: ctr images import -" >&2; exit 1; }\nexec ${process.env['HEARTH_CLUSTER_IMPORT']}`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(programs, name), 0o755);
  }
  return programs;
};

export const pages = readPages('user-guide');

/** Finds the block of a page that contains `part` and satisfies `isWanted`. @throws Error unless exactly one matches */
export const findBlock = (page: string, part: string, isWanted: (block: CodeBlock) => boolean): CodeBlock => {
  const { text = '' } = pages.find(({ id }) => id === page) ?? {};
  const found = listBlocks(text).filter((block) => isWanted(block) && block.code.includes(part));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks with “${part}”`);
  return found[0]!;
};

export const isShellBlock = ({ language }: CodeBlock): boolean => language === 'bash';

export const isValuesBlock = ({ language, attributes }: CodeBlock): boolean =>
  language === 'yaml' && attributes['values'] === true;
