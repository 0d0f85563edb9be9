import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What was found out about something that models find. */
export interface MeasuredSubject {
  /** The title and the tables, as Markdown. */
  readonly text: string;
  readonly figures: object;
  /** A sentence for each bound that was missed. */
  readonly missed: readonly string[];
}

/** Something that models find, and how its quality is measured. */
export type Subject = () => Promise<MeasuredSubject>;

/** Runs a program of `measure/` in a process of its own, and returns the JSON that it prints. */
export const runMeasurement = async <Figures>(program: string, args: readonly string[] = []): Promise<Figures> => {
  const path = join(import.meta.dirname, 'measure', program);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Figures;
};

/** A share as people read it: two digits behind the point. */
export const share = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : '–');
