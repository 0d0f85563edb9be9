import { createHash } from 'node:crypto';
import { sumOf, type ByKind } from '@hearth/testkit/figures/cost.ts';
import type { ProcessTree } from '@hearth/testkit/hearth/processTree.ts';

/** What a drill with a large file is given. */
export interface LargeUploadDrill {
  /** Empty, and removed afterwards. */
  readonly directory: string;
  readonly processes: ProcessTree;
  readonly sizeBytes: number;
}

/** Prints the memory at several times, the first of which is before the file; answers a sentence for each that has grown too much. */
export const reportMemory = (samples: Readonly<Record<string, ByKind>>, allowedMegabytes: number): string[] => {
  const problems: string[] = [];
  const before = sumOf(Object.values(samples)[0]!);
  for (const [when, memory] of Object.entries(samples)) {
    const parts = Object.entries(memory).map(([kind, megabytes]) => `${kind} ${megabytes.toFixed(0)}`);
    const growth = sumOf(memory) - before;
    console.log(
      `${when.padEnd(16)}${sumOf(memory).toFixed(0).padStart(5)} MB  +${growth.toFixed(0)}  (${parts.join(', ')})`,
    );
    if (growth >= allowedMegabytes) {
      problems.push(`${when}: ${growth.toFixed(0)} MB more than before, allowed are ${allowedMegabytes}`);
    }
  }
  return problems;
};

/** SHA-256 in hex of all that a response brings. */
export const hashOf = async (response: Response): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of response.body!) hash.update(chunk);
  return hash.digest('hex');
};

/** `5 GiB within 50.0 s (107 MB/s)` */
export const describeSpeed = (sizeBytes: number, startedAt: number): string => {
  const seconds = (Date.now() - startedAt) / 1_000;
  return `${sizeBytes / 2 ** 30} GiB within ${seconds.toFixed(1)} s (${(sizeBytes / 1e6 / seconds).toFixed(0)} MB/s)`;
};
