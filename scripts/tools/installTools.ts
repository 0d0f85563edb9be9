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

/** Describes how a tool is installed. Errors have messages with instructions for the user. */
export type Recipe = SystemRecipe | MadeRecipe;

/** A tool installed on the system. */
interface SystemRecipe {
  readonly kind: 'system';
  /** Returns the tool's path if it is installed. */
  readonly find: () => string | undefined;
  /** Installs the tool on the system. `directory` is for temporary files. */
  readonly install: (directory: string) => Promise<void>;
}

/** A tool made in its own folder, immutable afterwards. */
interface MadeRecipe {
  readonly kind: 'made';
  /** Pinned version. Other versions are made next to it. */
  readonly version: string;
  /** Cost of making it, for the progress output. */
  readonly effort: string;
  /** Path of the tool in its folder. */
  readonly path: string;
  /** Makes the tool in an empty folder, which is moved into place when complete. */
  readonly make: (directory: string) => Promise<void>;
}

/** Install location, recipes and progress callback. */
export interface InstallContext {
  readonly directory: string;
  readonly recipes: Readonly<Record<ToolName, Recipe>>;
  readonly onProgress: (what: string) => void;
}

/**
 * Installs the missing tools of `names` and records for each its path or the reason of its absence, for `findTool`.
 * Concurrent runs wait for each other. A killed run leaves no half-made tool.
 */
export const installTools = async (
  workshop: InstallContext,
  names: readonly ToolName[],
): Promise<Map<ToolName, FoundTool>> => {
  await mkdir(workshop.directory, { recursive: true });
  if (names.every((name) => find(workshop, name) !== undefined)) return recordAll(workshop, names, find);
  const lock = await waitForLock(workshop);
  try {
    await removeUnfinished(workshop.directory);
    return await recordAll(workshop, names, findOrInstall);
  } finally {
    lock.release();
  }
};

/** Records the result of `lookUp` for each tool. */
const recordAll = async (
  workshop: InstallContext,
  names: readonly ToolName[],
  lookUp: (workshop: InstallContext, name: ToolName) => FoundTool | undefined | Promise<FoundTool>,
): Promise<Map<ToolName, FoundTool>> => {
  const results = new Map<ToolName, FoundTool>();
  for (const name of names) {
    const result = (await lookUp(workshop, name)) ?? { missing: `${name} was removed a moment ago` };
    await replaceFile(toolRecord(workshop.directory, name), `${JSON.stringify(result)}\n`);
    results.set(name, result);
  }
  return results;
};

/** Interval of lock attempts, and of progress messages for a slow tool, in ms. */
const retryMs = 250;
const timeoutMs = 30_000;

const waitForLock = async ({ directory, onProgress }: InstallContext): Promise<DataDirectoryLock> => {
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

const findOrInstall = async (workshop: InstallContext, name: ToolName): Promise<FoundTool> => {
  const found = find(workshop, name);
  if (found !== undefined) return found;
  const recipe = workshop.recipes[name];
  workshop.onProgress(`Installing ${name}${recipe.kind === 'made' ? ` ${recipe.version} (${recipe.effort})` : ''} …`);
  const begin = Date.now();
  const seconds = (): number => Math.round((Date.now() - begin) / 1_000);
  const reminder = setInterval(() => workshop.onProgress(`… still installing ${name} (${seconds()} s)`), timeoutMs);
  try {
    await install(workshop, name, recipe);
    const found = find(workshop, name);
    if (found === undefined) throw new Error('it is missing after the installation');
    workshop.onProgress(`Installed ${name} (${seconds()} s)`);
    return found;
  } catch (error) {
    const missing = `Installing ${name} failed: ${(error as Error).message}`;
    workshop.onProgress(missing);
    return { missing };
  } finally {
    clearInterval(reminder);
  }
};

const find = ({ directory, recipes }: InstallContext, name: ToolName): { path: string } | undefined => {
  const recipe = recipes[name];
  const path = recipe.kind === 'system' ? recipe.find() : join(directory, `${name}-${recipe.version}`, recipe.path);
  return path !== undefined && existsSync(path) ? { path } : undefined;
};

const install = async ({ directory }: InstallContext, name: ToolName, recipe: Recipe): Promise<void> => {
  const unfinished = await mkdtemp(join(directory, unfinishedPrefix));
  if (recipe.kind === 'system') await recipe.install(unfinished);
  else {
    await recipe.make(unfinished);
    const place = join(directory, `${name}-${recipe.version}`);
    // An existing folder is incomplete, otherwise it would have been found.
    await rm(place, { recursive: true, force: true });
    await rename(unfinished, place);
  }
};

const unfinishedPrefix = 'unfinished-';

/** Removes the leftovers of killed runs. A compiler that still writes there fails. */
const removeUnfinished = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory))
    if (name.startsWith(unfinishedPrefix))
      await rm(join(directory, name), { recursive: true, force: true, maxRetries: 5 });
};

/** Replaces a file atomically. */
const replaceFile = async (path: string, content: string): Promise<void> => {
  const next = `${path}.${process.pid}`;
  await writeFile(next, content);
  await rename(next, path);
};
