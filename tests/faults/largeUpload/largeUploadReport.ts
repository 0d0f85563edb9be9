import { createHash } from 'node:crypto';
import { sumCosts, type ByKind } from '@hearth/testkit/figures/cost.ts';
import type { ProcessTree } from '@hearth/testkit/hearth/processTree.ts';

export interface LargeUploadDrill {
  /** An empty folder, removed afterwards. */
  readonly directory: string;
  readonly processes: ProcessTree;
  readonly sizeBytes: number;
}

/**
 * Prints memory samples. The first one is from before the upload. Returns a message for each that exceeds the
 * allowed growth.
 */
export const checkMemory = (samples: Readonly<Record<string, ByKind>>, allowedMegabytes: number): string[] => {
  const problems: string[] = [];
  const before = sumCosts(Object.values(samples)[0]!);
  for (const [when, memory] of Object.entries(samples)) {
    const parts = Object.entries(memory).map(([kind, megabytes]) => `${kind} ${megabytes.toFixed(0)}`);
    const growth = sumCosts(memory) - before;
    console.log(
      `${when.padEnd(16)}${sumCosts(memory).toFixed(0).padStart(5)} MB  +${growth.toFixed(0)}  (${parts.join(', ')})`,
    );
    if (growth >= allowedMegabytes) {
      problems.push(`${when}: ${growth.toFixed(0)} MB more than before, limit: ${allowedMegabytes} MB`);
    }
  }
  return problems;
};

/** Returns the SHA-256 of a response body, in hex. */
export const computeHash = async (response: Response): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of response.body!) hash.update(chunk);
  return hash.digest('hex');
};

/** Formats the speed, such as `5 GiB within 50.0 s (107 MB/s)`. */
export const describeSpeed = (sizeBytes: number, startedAt: number): string => {
  const seconds = (Date.now() - startedAt) / 1_000;
  return `${sizeBytes / 2 ** 30} GiB within ${seconds.toFixed(1)} s (${(sizeBytes / 1e6 / seconds).toFixed(0)} MB/s)`;
};
