import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Results for one kind of recognition. */
export interface MeasuredSubject {
  /** Title and tables, as Markdown. */
  readonly text: string;
  readonly figures: object;
  /** Messages for missed bounds. */
  readonly missed: readonly string[];
}

/** Measures the quality of one kind of recognition. */
export type Subject = () => Promise<MeasuredSubject>;

/** Runs a program of `measure/` in its own process and returns its JSON output. */
export const runMeasurement = async <Figures>(program: string, args: readonly string[] = []): Promise<Figures> => {
  const path = join(import.meta.dirname, 'measure', program);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Figures;
};

/** Formats a share with two decimals. */
export const formatShare = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '–');
