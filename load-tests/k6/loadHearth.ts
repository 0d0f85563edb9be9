import type { TestContext } from 'node:test';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { admin, adminVariables, runHearth } from '@hearth/testkit/hearth/hearth.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';
import { prepareLoadPhotos } from './loadPhotos.ts';
import type { K6Options } from './runK6.ts';

/** An embedded Hearth under load. */
export interface LoadHearth extends KnownInstallation {
  /** Folder with all data of the installation. */
  readonly directory: string;
  /** Options of every run. Reports go to `directory`. */
  readonly run: Omit<K6Options, 'load' | 'reportFolder'> & { readonly reportFolder: string };
}

/** Starts an embedded Hearth for a test. `variables` are extra environment variables. */
export const startLoadHearth = async (
  t: TestContext,
  variables: Readonly<Record<string, string>> = {},
): Promise<LoadHearth> => {
  const directory = await makeFolder('load');
  t.after(() => removeUnlessFailed(t, directory));
  const photos = await prepareLoadPhotos('small', (line) => t.diagnostic(line));
  const hearth = await runHearth({ directory, env: { ...adminVariables, ...variables } });
  t.after(() => hearth.stop());
  const { url } = hearth;
  return { url, admin, directory, run: { url, admin, photos, reportFolder: directory } };
};
