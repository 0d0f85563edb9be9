import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { makeFolder, removeFolder } from './folder.ts';

/** What a drill is given. */
export interface DrillContext {
  /** An empty folder for everything that comes up. */
  readonly directory: string;
  /** Prints in a few words what is being done. */
  readonly say: (doing: string) => void;
}

/** The result of a drill. */
export interface DrillReport {
  /** One line each for the table. */
  readonly figures: Readonly<Record<string, number>>;
  /** A sentence for each thing that is not as it should be. */
  readonly problems: readonly string[];
}

export type Drill = (context: DrillContext) => Promise<DrillReport>;

/**
 * Drills as a program, one after another, each also where one before has failed. Ends with 1 where something is not as it should be, and then
 * keeps the folder. `repeat` says how to have the same again.
 */
export const drillAsProgram = async (
  drills: readonly Drill[],
  { repeat = '', keep = false }: { readonly repeat?: string; readonly keep?: boolean } = {},
): Promise<never> => {
  const directory = await makeFolder('drill');
  const context: DrillContext = { directory, say: (doing) => console.log(`${new Date().toISOString()} ${doing} …`) };
  const figures: Record<string, number> = {};
  const problems: string[] = [];
  for (const drill of drills) {
    try {
      const report = await drill(context);
      Object.assign(figures, report.figures);
      problems.push(...report.problems);
    } catch (error) {
      problems.push((error as Error).stack ?? String(error));
    }
  }
  console.log(`\n${listFigures(figures).join('\n')}\n\n${JSON.stringify(figures)}`);
  for (const problem of problems) console.log(problem);
  if (keep || problems.length > 0) console.log(`kept: ${directory}`);
  else await removeFolder(directory);
  console.log(problems.length === 0 ? 'drill passed' : `drill FAILED: ${problems.length} problems ${repeat}`);
  // At once: what is still open, such as connections to servers that are gone, has nothing more to say.
  process.exit(problems.length === 0 ? 0 : 1);
};

/** Drills in a test, which fails with the problems, and then keeps the folder. */
export const drillInTest = async (t: TestContext, drill: Drill): Promise<void> => {
  const directory = await makeFolder('drill');
  const say = (doing: string): void => t.diagnostic(`${new Date().toISOString()} ${doing}`);
  const { figures, problems } = await drill({ directory, say });
  for (const line of listFigures(figures)) t.diagnostic(line);
  assert.deepEqual(problems, [], `the data and the logs are kept in ${directory}`);
  await removeFolder(directory);
};

const listFigures = (figures: DrillReport['figures']): string[] => {
  const width = Math.max(...Object.keys(figures).map((name) => name.length)) + 2;
  return Object.entries(figures).map(([name, value]) => `${name.padEnd(width)}${value}`);
};
