import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** An empty folder of a test. */
export const makeTestFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'hearth-faults-'));

/** To be called after the test: removes its folder, or says where it is kept where the test has failed. */
export const removeUnlessFailed = async (t: TestContext, directory: string): Promise<void> => {
  // Node knows it since 20.12, its types (24.19) do not.
  if ((t as TestContext & { readonly passed: boolean }).passed) {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  } else t.diagnostic(`kept: ${directory}`);
};
