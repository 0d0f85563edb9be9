import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const project = join(import.meta.dirname, '../..');

/** One step of a job: an action, or a script. */
export interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

/** A job with steps, or one that calls another workflow. */
export interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly Step[];
}

/** A workflow of GitHub Actions. */
export interface Workflow {
  /** Its path in the repository. */
  readonly path: string;
  readonly text: string;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** Every workflow of this repository. */
export const workflows: readonly Workflow[] = globSync('.github/workflows/*.{yaml,yml}', { cwd: project }).map(
  (path) => {
    const text = readFileSync(join(project, path), 'utf8');
    return Object.assign(parse(text) as Omit<Workflow, 'path' | 'text'>, { path, text });
  },
);
