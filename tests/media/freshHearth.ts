import { findTemporaryFiles } from '@hearth/testkit/hearth/dataFolder.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { runHearth, makeStartOptions, type Library } from '@hearth/testkit/hearth/hearth.ts';

/** The result of `work`, and a line for each process that exited unexpectedly. */
export interface FreshHearthResult<Result> {
  readonly result: Result;
  readonly deaths: readonly string[];
}

/**
 * Runs `work` on a Hearth like `npm start`, with an empty library in a temporary folder.
 * @throws unless it exits with 0 and leaves no temporary file
 */
export const withFreshHearth = async <Result>(
  work: (library: Library) => Promise<Result>,
  { inFolder, env = {} }: { readonly inFolder?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<FreshHearthResult<Result>> => {
  const directory = inFolder ?? (await makeFolder('media'));
  const hearth = await runHearth({ directory, env: { ...makeStartOptions(), ...env } });
  const [worked] = await Promise.allSettled([work(hearth)]);
  const { code } = await hearth.stop();
  if (worked.status === 'rejected') throw worked.reason;
  if (code !== 0) throw new Error(`Hearth exited with ${code} after SIGTERM:\n${hearth.output()}`);
  const left = await findTemporaryFiles(directory);
  if (left.length > 0) throw new Error(`temporary files left: ${left.join(', ')}`);
  const restarts = hearth
    .output()
    .split('\n')
    .filter((line) => /"(msg|message)":"[^"]*(exited|stopped unexpectedly)\b/.test(line));
  await removeFolder(directory);
  return { result: worked.value, deaths: restarts };
};
