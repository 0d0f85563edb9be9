import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Makes an empty temporary folder; its name tells the purpose. */
export const makeFolder = (purpose: string): Promise<string> => mkdtemp(join(tmpdir(), `hearth-${purpose}-`));

/** Removes a folder with everything in it. */
export const removeFolder = (directory: string): Promise<void> =>
  rm(directory, { recursive: true, force: true, maxRetries: 3 });

/** Removes the folder of a test that has passed. A failed test keeps its folder and says where it is. */
export const removeUnlessFailed = async (t: TestContext, directory: string): Promise<void> => {
  // Node has `passed` since 20.12, its types (24.19) have not.
  if ((t as TestContext & { readonly passed: boolean }).passed) await removeFolder(directory);
  else t.diagnostic(`kept: ${directory}`);
};
