import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { makeFolder, removeFolder } from './folder.ts';

export interface DrillContext {
  /** Folder for all files of the drills. */
  readonly directory: string;
  /** Prints the current step in a few words. */
  readonly say: (step: string) => void;
}

export interface DrillReport {
  /** Printed as a table. */
  readonly figures: Readonly<Record<string, number>>;
  /** A sentence for each failed expectation. */
  readonly problems: readonly string[];
}

export type Drill = (context: DrillContext) => Promise<DrillReport>;

/**
 * Runs drills as a program, one after another, even after a failure. On failure it exits with 1 and keeps the folder.
 * `repeat` explains how to repeat the run.
 */
export const runDrillAsProgram = async (
  drills: readonly Drill[],
  { repeat = '', keep = false }: { readonly repeat?: string; readonly keep?: boolean } = {},
): Promise<never> => {
  const directory = await makeFolder('drill');
  const context: DrillContext = { directory, say: (step) => console.log(`${new Date().toISOString()} ${step} …`) };
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
  // Exits at once, because open handles, such as connections to ended servers, would keep the process running.
  process.exit(problems.length === 0 ? 0 : 1);
};

/** Runs a drill in a test. On failure the test reports the problems and keeps the folder. */
export const runDrillInTest = async (t: TestContext, drill: Drill): Promise<void> => {
  const directory = await makeFolder('drill');
  const print = (step: string): void => t.diagnostic(`${new Date().toISOString()} ${step}`);
  const { figures, problems } = await drill({ directory, say: print });
  for (const line of listFigures(figures)) t.diagnostic(line);
  assert.deepEqual(problems, [], `data and logs are kept in ${directory}`);
  await removeFolder(directory);
};

const listFigures = (figures: DrillReport['figures']): string[] => {
  const width = Math.max(...Object.keys(figures).map((name) => name.length)) + 2;
  return Object.entries(figures).map(([name, value]) => `${name.padEnd(width)}${value}`);
};
