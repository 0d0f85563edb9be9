import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@hearth/core/testing/actsLog.ts';
import sharp from 'sharp';
import { openClient } from '../faults/client.ts';
import type { Credentials } from '../faults/hearth.ts';
import { kindOf, sumOf, watchMemory, type MemoryByKind } from '../faults/memory.ts';
import type { ProcessFamily } from '../faults/processes.ts';
import { cpuBetween, measureCpu } from '../bench/familyCost.ts';
import type { Uploaded } from './judge.ts';
import { references } from './references.ts';
import type { MediaFile } from './manifest.ts';
import { collectShown } from './shown.ts';

/** A library into which files are imported, and the processes that it consists of. */
export interface Library {
  readonly url: string;
  readonly credentials: Credentials;
  readonly query: Query;
  readonly family: ProcessFamily;
}

/** What an import came to. */
export interface Import {
  readonly files: readonly { readonly file: MediaFile; readonly uploaded: Uploaded }[];
  /** At the moment when all processes together had most, from the first upload to the end of the last run. */
  readonly peakMegabytesByKind: MemoryByKind;
  /** CPU seconds of all processes for a file that was imported when nothing else was to be done. */
  readonly cpuSecondsAlone: ReadonlyMap<string, number>;
}

/** Uploads at the same time. */
const lanes = 4;

/** Seconds without a run that ends after which an import counts as stuck: longer than the longest decode may take. */
const patienceSeconds = 180;

/** Pause before a file is measured alone: longer than idle decoders stay. */
const settleSeconds = 12;

/** Files of so many pixels are not decoded, and must cost next to nothing: each is imported alone, and measured. */
const isRefusedBySize = ({ expected }: MediaFile): boolean => expected.reason === 'TOO_LARGE';

/** Imports files as a client does, waits until nothing is left to be done, and collects what the library shows of each. */
export const importMedia = async (
  files: readonly MediaFile[],
  library: Library,
  say: (doing: string) => void,
): Promise<Import> => {
  const { url, credentials, query, family } = library;
  const client = openClient(url, credentials, new AbortController().signal);
  const token = await client.token();
  const answers = new Map<MediaFile, Answer>();
  const uploadInto = async (file: MediaFile): Promise<void> => {
    answers.set(file, await upload(url, token, file));
  };

  const memory = watchMemory(family);
  const left = files.filter((file) => !isRefusedBySize(file)).toReversed();
  say(`uploading ${left.length} files`);
  const uploadNext = async (): Promise<void> => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) await uploadInto(file);
  };
  await Promise.all(Array.from({ length: lanes }, uploadNext));
  say('waiting until everything is done');
  await waitUntilDone(query);

  const cpuSecondsAlone = new Map<string, number>();
  for (const file of files.filter(isRefusedBySize)) {
    // What is still ending from before is not this file's cost.
    await sleep(settleSeconds * 1_000);
    const before = measureCpu(family, kindOf);
    await uploadInto(file);
    await waitUntilDone(query);
    cpuSecondsAlone.set(file.name, sumOf(cpuBetween(before, measureCpu(family, kindOf))));
  }
  const peakMegabytesByKind = await memory.stop();

  say('looking at what came of it');
  const listed = new Set((await client.list()).items.map(({ id }) => id));
  const collected = [];
  for (const file of files) {
    const { status, id } = answers.get(file)!;
    const twins = files.filter(({ sha256 }) => sha256 === file.sha256);
    collected.push({
      file,
      uploaded: {
        status,
        shown: id === undefined ? undefined : await collectShown(id, client, query, listed),
        sha256: file.sha256,
        isSameAsTwins: twins.every((twin) => answers.get(twin)?.id === id),
        isRgb: await isRgb(file.path),
        reference: references[file.name],
      },
    });
  }
  return { files: collected, peakMegabytesByKind, cpuSecondsAlone };
};

interface Answer {
  readonly status: number;
  readonly id: string | undefined;
}

const upload = async (url: string, token: string, { path }: MediaFile): Promise<Answer> => {
  const body = new FormData();
  body.append('file', await openAsBlob(path), basename(path));
  const response = await fetch(`${url}/v1/mediaItems`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body,
  });
  const { id } = (await response.json()) as { id?: string };
  return { status: response.status, id: response.ok ? id : undefined };
};

/** Asked of the database, which costs less than asking the API. @throws when nothing moves any more */
const waitUntilDone = async (query: Query): Promise<void> => {
  let state = '';
  for (let stuckSeconds = 0; stuckSeconds < patienceSeconds; stuckSeconds += 0.1) {
    const [row] = await query<{ undone: number; state: string }>(`
      select count(*) filter (where state in ('PENDING', 'RUNNING'))::int as undone,
        concat(count(*) filter (where state in ('PENDING', 'RUNNING')), ' ', max(finished_at)) as state
      from component_runs`);
    if (row?.undone === 0) return;
    if (row !== undefined && row.state !== state) stuckSeconds = 0;
    state = row?.state ?? state;
    await sleep(100);
  }
  throw new Error(`runs are undone, and nothing has moved for ${patienceSeconds} s: ${state}`);
};

const isRgb = async (path: string): Promise<boolean> => {
  try {
    return !['b-w', 'grey16', 'cmyk'].includes((await sharp(path, { failOn: 'none' }).metadata()).space);
  } catch {
    // What sharp cannot open comes out of other decoders with colours.
    return true;
  }
};
