import { makeDraft, fileAt, noFiles, type FileList } from './fileList.ts';
import { isSettled, nextUploadFile, stages, type FileEvent, type Stage, type UploadFile } from './uploadFile.ts';

/** Number of files at a stage, their size, and the bytes sent of them. */
export interface Tally {
  readonly files: number;
  readonly bytes: number;
  readonly sentBytes: number;
}

/** All uploads. The id of a file is its index in `files`, which never changes. */
export interface UploadPlan {
  readonly files: FileList;
  readonly tallies: Readonly<Record<Stage, Tally>>;
  /** Lower bound of the indexes of files at each stage. Searches start here. */
  readonly lowest: Readonly<Record<Stage, number>>;
}

export type PlanEvent =
  | { readonly kind: 'added'; readonly files: readonly UploadFile[] }
  | { readonly kind: 'file'; readonly id: number; readonly event: FileEvent };

const forEachStage = <T>(value: T): Record<Stage, T> =>
  Object.fromEntries(stages.map((stage) => [stage, value])) as Record<Stage, T>;

export const emptyPlan: UploadPlan = {
  files: noFiles,
  tallies: forEachStage({ files: 0, bytes: 0, sentBytes: 0 }),
  lowest: forEachStage(0),
};

/**
 * Returns the plan after these events. The cost depends on the number of events, and barely on the number of files.
 */
export const nextPlan = (plan: UploadPlan, events: readonly PlanEvent[]): UploadPlan => {
  const files = makeDraft(plan.files);
  const tallies = { ...plan.tallies };
  const lowest = { ...plan.lowest };
  const count = (file: UploadFile, sign: 1 | -1): void => {
    const tally = tallies[file.stage];
    tallies[file.stage] = {
      files: tally.files + sign,
      bytes: tally.bytes + sign * file.sizeBytes,
      sentBytes: tally.sentBytes + sign * file.sentBytes,
    };
  };
  const addFile = (file: UploadFile, id: number): void => {
    count(file, 1);
    if (tallies[file.stage].files === 1 || id < lowest[file.stage]) lowest[file.stage] = id;
  };
  for (const change of events) {
    if (change.kind === 'added') {
      for (const file of change.files) addFile(file, files.push(file));
      continue;
    }
    const file = files.at(change.id);
    if (file === undefined) continue;
    const next = nextUploadFile(file, change.event);
    if (next === file) continue;
    count(file, -1);
    files.set(change.id, next);
    addFile(next, change.id);
  }
  const list = files.finish();
  for (const stage of stages) lowest[stage] = findFirst(list, stage, lowest[stage], tallies[stage].files);
  return { files: list, tallies, lowest };
};

function findFirst(files: FileList, stage: Stage, from: number, count: number): number {
  if (count === 0) return files.length;
  let id = from;
  while (id < files.length && fileAt(files, id)?.stage !== stage) id += 1;
  return id;
}

/** Returns the ids of the first `max` files at a stage. */
export const listFilesAt = (plan: UploadPlan, stage: Stage, max = Number.POSITIVE_INFINITY): number[] => {
  const ids: number[] = [];
  const wanted = Math.min(max, plan.tallies[stage].files);
  for (let id = plan.lowest[stage]; id < plan.files.length && ids.length < wanted; id += 1) {
    if (fileAt(plan.files, id)?.stage === stage) ids.push(id);
  }
  return ids;
};

const activeStages = ['checking', 'ready', 'sending', 'waiting'] as const satisfies readonly Stage[];

/**
 * Returns the ids of at most `max` files whose checksums to check. Of several files with the same content, it returns
 * only one. The others are checked after its upload and are then found in the library.
 */
export const filesToCheck = (plan: UploadPlan, max: number): number[] => {
  const claimed = new Set(
    activeStages.flatMap((stage) => listFilesAt(plan, stage)).map((id) => fileAt(plan.files, id)?.checksum),
  );
  const ids: number[] = [];
  // Stops after `max` ids, because thousands of files may be hashed.
  let remaining = plan.tallies.hashed.files;
  for (let id = plan.lowest.hashed; remaining > 0 && ids.length < max; id += 1) {
    const file = fileAt(plan.files, id);
    if (file === undefined) break;
    if (file.stage !== 'hashed') continue;
    remaining -= 1;
    if (claimed.has(file.checksum)) continue;
    claimed.add(file.checksum);
    ids.push(id);
  }
  return ids;
};

export interface Progress {
  readonly files: number;
  readonly settledFiles: number;
  readonly bytes: number;
  /** All bytes of settled files, and the bytes sent of the others. */
  readonly settledBytes: number;
}

/** Returns the progress of all files except cancelled ones. Refused and failed files count as settled. */
export const getProgress = ({ tallies }: UploadPlan): Progress => {
  const total = { files: 0, settledFiles: 0, bytes: 0, settledBytes: 0 };
  for (const stage of stages) {
    if (stage === 'cancelled') continue;
    const { files, bytes, sentBytes } = tallies[stage];
    const settled = isSettled({ stage });
    total.files += files;
    total.bytes += bytes;
    total.settledFiles += settled ? files : 0;
    total.settledBytes += settled ? bytes : sentBytes;
  }
  return total;
};

/** Returns whether all files are settled; `missing` ones are not. */
export const isPlanSettled = (plan: UploadPlan): boolean =>
  stages.every((stage) => isSettled({ stage }) || plan.tallies[stage].files === 0);

/** Returns whether leaving the page would interrupt an upload. */
export const isPlanBusy = (plan: UploadPlan): boolean =>
  stages.some((stage) => !isSettled({ stage }) && stage !== 'missing' && plan.tallies[stage].files > 0);
