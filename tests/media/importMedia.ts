import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { openClient } from '@hearth/testkit/hearth/client.ts';
import { subtractCpu, measureCpu, sumCosts, watchMemory, type ByKind } from '@hearth/testkit/figures/cost.ts';
import type { Library } from '@hearth/testkit/hearth/hearth.ts';
import { mapConcurrently } from '@hearth/testkit/hearth/mapConcurrently.ts';
import { makeForm, uploadOnce } from '@hearth/testkit/hearth/request.ts';
import { waitUntilProcessed } from '@hearth/testkit/hearth/wait.ts';
import type { Uploaded } from './compareMedia.ts';
import { references } from './references.ts';
import type { MediaFile } from './manifest.ts';
import { collectShown } from './shown.ts';

export interface Import {
  readonly files: readonly { readonly file: MediaFile; readonly uploaded: Uploaded }[];
  /** Memory by process kind at the moment of the highest total, from the first upload to the end of the last run. */
  readonly peakMegabytesByKind: ByKind;
  /** CPU seconds of all processes for a file that was imported while nothing else was running. */
  readonly isolatedCpuSeconds: ReadonlyMap<string, number>;
}

/** Concurrent uploads. */
const concurrency = 4;

/** An import counts as stuck when no run has finished for `timeoutMs`, longer than the longest decode. */
const waitOptions = { timeoutMs: 180_000, everyMs: 100 } as const;

/** Pause before a file is measured alone, longer than the idle timeout of decoders. */
const settleSeconds = 12;

/**
 * Returns true for files with too many pixels to decode. They must cost almost nothing, so each is imported alone and
 * measured.
 */
const isRejectedBySize = ({ expected }: MediaFile): boolean => expected.reason === 'TOO_LARGE';

/**
 * Imports files as a client does, waits until all processing is finished, and collects what the library shows of each.
 */
export const importMedia = async (
  files: readonly MediaFile[],
  library: Library,
  log: (doing: string) => void,
): Promise<Import> => {
  const { url, credentials, query, processes } = library;
  const client = openClient(url, credentials);
  const token = await client.token();
  const responses = new Map<MediaFile, Answer>();
  const uploadInto = async (file: MediaFile): Promise<void> => {
    responses.set(file, await upload(url, token, file));
  };

  const memory = watchMemory(processes);
  const shown = files.filter((file) => !isRejectedBySize(file));
  log(`uploading ${shown.length} files`);
  await mapConcurrently(concurrency, shown, uploadInto);
  log('waiting until everything is done');
  await waitUntilProcessed(query, waitOptions);

  const isolatedCpuSeconds = new Map<string, number>();
  for (const file of files.filter(isRejectedBySize)) {
    // Work that is still finishing must not count for this file.
    await sleep(settleSeconds * 1_000);
    const before = measureCpu(processes);
    await uploadInto(file);
    await waitUntilProcessed(query, waitOptions);
    isolatedCpuSeconds.set(file.name, sumCosts(subtractCpu(before, measureCpu(processes))));
  }
  const peakMegabytesByKind = await memory.stop();

  log('collecting the results');
  const listed = new Set((await client.list()).items.map(({ id }) => id));
  const collected = [];
  for (const file of files) {
    const { status, id } = responses.get(file)!;
    const duplicates = files.filter(({ sha256 }) => sha256 === file.sha256);
    collected.push({
      file,
      uploaded: {
        status,
        shown: id === undefined ? undefined : await collectShown(id, client, query, listed),
        sha256: file.sha256,
        hasIdOfDuplicates: duplicates.every((duplicate) => responses.get(duplicate)?.id === id),
        isRgb: await isRgb(file.path),
        reference: references[file.name],
      },
    });
  }
  return { files: collected, peakMegabytesByKind, isolatedCpuSeconds };
};

interface Answer {
  readonly status: number;
  readonly id: string | undefined;
}

const upload = async (url: string, token: string, { path, uploadName }: MediaFile): Promise<Answer> => {
  const { status, text } = await uploadOnce(url, token, makeForm(uploadName, await openAsBlob(path)));
  const { id } = JSON.parse(text) as { id?: string };
  return { status, id: status < 300 ? id : undefined };
};

const isRgb = async (path: string): Promise<boolean> => {
  try {
    return !['b-w', 'grey16', 'cmyk'].includes((await sharp(path, { failOn: 'none' }).metadata()).space);
  } catch {
    // Other decoders open files that sharp cannot, and output RGB.
    return true;
  }
};
