import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOptions } from '../bench/startOptions.ts';
import { queryOf } from '../faults/database.ts';
import {
  dataDirectoryOf,
  findCredentials,
  findFreePorts,
  startHearth,
  temporaryDirectoryOf,
} from '../faults/hearth.ts';
import { watchFamily } from '../faults/processes.ts';
import type { Library } from './importMedia.ts';

/** A Hearth as `npm start` runs it, with an empty library. */
export interface FreshHearth extends Library {
  /**
   * Asks it to end, removes its data, and answers what it had logged of processes that ended unasked, a line each.
   * @throws unless it ends with 0 and leaves no temporary file
   */
  stop(): Promise<string[]>;
}

/** Starts a Hearth in a folder of its own, and resolves when it runs. */
export const startFreshHearth = async (): Promise<FreshHearth> => {
  const directory = await mkdtemp(join(tmpdir(), 'hearth-media-'));
  const family = watchFamily();
  const hearth = startHearth({ directory, ports: await findFreePorts(), env: await startOptions() });
  family.adopt(hearth.pid);
  await hearth.running;
  return {
    url: hearth.url,
    credentials: findCredentials(hearth.output())!,
    query: queryOf(directory),
    family,
    stop: async () => {
      process.kill(hearth.pid, 'SIGTERM');
      const { code } = await hearth.ended;
      family.stopWatching();
      if (code !== 0) throw new Error(`asked to end, Hearth ended with ${code}:\n${hearth.output()}`);
      const left = await findTemporaryFiles(directory);
      if (left.length > 0) throw new Error(`temporary files are left: ${left.join(', ')}`);
      const deaths = hearth
        .output()
        .split('\n')
        .filter((line) => /"(msg|message)":"[^"]*(ended|died)\b/.test(line));
      await rm(directory, { recursive: true, force: true, maxRetries: 3 });
      return deaths;
    },
  };
};

const findTemporaryFiles = async (directory: string): Promise<string[]> => {
  const folders = [temporaryDirectoryOf(directory), join(dataDirectoryOf(directory), 'scratch')];
  return (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat();
};
