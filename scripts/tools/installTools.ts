import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DataDirectoryInUseError,
  lockDataDirectory,
  type DataDirectoryLock,
} from '@hearth/core/disk/dataDirectoryLock.ts';
import { toolRecord, type FoundTool, type ToolName } from '@hearth/testkit/run/tools.ts';

/** How a tool comes to this machine. Whatever fails is thrown as an error whose message tells its reader what to do. */
export type Recipe = SystemRecipe | MadeRecipe;

/** A tool that belongs to the system. */
interface SystemRecipe {
  readonly kind: 'system';
  /** The tool's path, where the system has it. */
  readonly find: () => string | undefined;
  /** Makes the system have it; `directory` may be used meanwhile. */
  readonly install: (directory: string) => Promise<void>;
}

/** A tool that is made in a folder of its own and never changes again. */
interface MadeRecipe {
  readonly kind: 'made';
  /** Pinned; another one is made beside it. */
  readonly version: string;
  /** What making it costs. */
  readonly effort: string;
  /** Of the tool in its folder. */
  readonly path: string;
  /** Makes it in a folder that is empty, and that is moved when it is whole. */
  readonly make: (directory: string) => Promise<void>;
}

/** Where tools are installed, by which recipes, and who is told of it. */
export interface Workshop {
  readonly directory: string;
  readonly recipes: Readonly<Record<ToolName, Recipe>>;
  readonly onProgress: (what: string) => void;
}

/**
 * Installs what is missing of `names` and notes for each where it is, or why it is not there, for `findTool` to read. Of several runs at
 * once, one works and the others wait. One that is killed leaves nothing that counts as a tool.
 */
export const installTools = async (
  workshop: Workshop,
  names: readonly ToolName[],
): Promise<Map<ToolName, FoundTool>> => {
  await mkdir(workshop.directory, { recursive: true });
  if (names.every((name) => find(workshop, name) !== undefined)) return noteAll(workshop, names, find);
  const lock = await waitForLock(workshop);
  try {
    await removeUnfinished(workshop.directory);
    return await noteAll(workshop, names, findOrInstall);
  } finally {
    lock.release();
  }
};

/** Notes what `look` answers for each tool. */
const noteAll = async (
  workshop: Workshop,
  names: readonly ToolName[],
  look: (workshop: Workshop, name: ToolName) => FoundTool | undefined | Promise<FoundTool>,
): Promise<Map<ToolName, FoundTool>> => {
  const results = new Map<ToolName, FoundTool>();
  for (const name of names) {
    const result = (await look(workshop, name)) ?? { missing: `${name} was removed a moment ago` };
    await replaceFile(toolRecord(workshop.directory, name), `${JSON.stringify(result)}\n`);
    results.set(name, result);
  }
  return results;
};

/** Milliseconds between two attempts to become the one that works, and between two words of how long a tool takes. */
const retryMs = 250;
const patienceMs = 30_000;

const waitForLock = async ({ directory, onProgress }: Workshop): Promise<DataDirectoryLock> => {
  for (let tries = 0; ; tries++) {
    try {
      return lockDataDirectory(directory);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUseError)) throw error;
      if (tries === 0) onProgress('Another run is installing tools: waiting for it …');
      await delay(retryMs);
    }
  }
};

const findOrInstall = async (workshop: Workshop, name: ToolName): Promise<FoundTool> => {
  const found = find(workshop, name);
  if (found !== undefined) return found;
  const recipe = workshop.recipes[name];
  workshop.onProgress(`Installing ${name}${recipe.kind === 'made' ? ` ${recipe.version} (${recipe.effort})` : ''} …`);
  const begin = Date.now();
  const seconds = (): number => Math.round((Date.now() - begin) / 1_000);
  const reminder = setInterval(() => workshop.onProgress(`… still installing ${name} (${seconds()} s)`), patienceMs);
  try {
    await install(workshop, name, recipe);
    const found = find(workshop, name);
    if (found === undefined) throw new Error('it was installed, and is not where it should be');
    workshop.onProgress(`${name} is installed (${seconds()} s)`);
    return found;
  } catch (error) {
    const missing = `${name} could not be installed: ${(error as Error).message}`;
    workshop.onProgress(missing);
    return { missing };
  } finally {
    clearInterval(reminder);
  }
};

const find = ({ directory, recipes }: Workshop, name: ToolName): { path: string } | undefined => {
  const recipe = recipes[name];
  const path = recipe.kind === 'system' ? recipe.find() : join(directory, `${name}-${recipe.version}`, recipe.path);
  return path !== undefined && existsSync(path) ? { path } : undefined;
};

const install = async ({ directory }: Workshop, name: ToolName, recipe: Recipe): Promise<void> => {
  const unfinished = await mkdtemp(join(directory, unfinishedPrefix));
  if (recipe.kind === 'system') await recipe.install(unfinished);
  else {
    await recipe.make(unfinished);
    const place = join(directory, `${name}-${recipe.version}`);
    // What is there was not found whole.
    await rm(place, { recursive: true, force: true });
    await rename(unfinished, place);
  }
};

const unfinishedPrefix = 'unfinished-';

/** Removes what killed runs have left; a compiler of theirs that still writes there fails. */
const removeUnfinished = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory))
    if (name.startsWith(unfinishedPrefix))
      await rm(join(directory, name), { recursive: true, force: true, maxRetries: 5 });
};

/** Writes a file so that nobody ever reads half of it. */
const replaceFile = async (path: string, content: string): Promise<void> => {
  const next = `${path}.${process.pid}`;
  await writeFile(next, content);
  await rename(next, path);
};
