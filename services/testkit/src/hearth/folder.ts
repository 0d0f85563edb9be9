import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Makes an empty temporary folder with the purpose in its name. */
export const makeFolder = (purpose: string): Promise<string> => mkdtemp(join(tmpdir(), `hearth-${purpose}-`));

/** Deletes a folder with its contents. */
export const removeFolder = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true, maxRetries: 3 });

/** Deletes the folder of a test that has passed. After a failure it keeps the folder and prints its path. */
export const removeUnlessFailed = async (t: TestContext, directory: string): Promise<void> => {
  // Node has `passed` since 20.12, but its types (24.19) do not.
  if ((t as TestContext & { readonly passed: boolean }).passed) await removeFolder(directory);
  else t.diagnostic(`kept: ${directory}`);
};
