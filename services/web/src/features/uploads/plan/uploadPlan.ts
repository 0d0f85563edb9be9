import { draftOf, fileAt, noFiles, type FileList } from './fileList.ts';
import { isSettled, nextUploadFile, stages, type FileEvent, type Stage, type UploadFile } from './uploadFile.ts';

/** How many files are at a stage, how large they are, and how much of them has been sent. */
export interface Tally {
  readonly files: number;
  readonly bytes: number;
  readonly sentBytes: number;
}

/** Everything that is being uploaded. A file is named by its place in `files`, which it keeps. */
export interface UploadPlan {
  readonly files: FileList;
  readonly tallies: Readonly<Record<Stage, Tally>>;
  /** No file before this place is at the stage: where to begin looking for one. */
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

/** The plan after these events, in their order. What they cost grows with the events, and next to nothing with the files that they do not touch. */
export const nextPlan = (plan: UploadPlan, events: readonly PlanEvent[]): UploadPlan => {
  const files = draftOf(plan.files);
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
  const enter = (file: UploadFile, id: number): void => {
    count(file, 1);
    if (tallies[file.stage].files === 1 || id < lowest[file.stage]) lowest[file.stage] = id;
  };
  for (const change of events) {
    if (change.kind === 'added') {
      for (const file of change.files) enter(file, files.push(file));
      continue;
    }
    const file = files.at(change.id);
    if (file === undefined) continue;
    const next = nextUploadFile(file, change.event);
    if (next === file) continue;
    count(file, -1);
    files.set(change.id, next);
    enter(next, change.id);
  }
  const list = files.finish();
  for (const stage of stages) lowest[stage] = firstAt(list, stage, lowest[stage], tallies[stage].files);
  return { files: list, tallies, lowest };
};

function firstAt(files: FileList, stage: Stage, from: number, howMany: number): number {
  if (howMany === 0) return files.length;
  let id = from;
  while (id < files.length && fileAt(files, id)?.stage !== stage) id += 1;
  return id;
}

/** The first `most` files at the stage, by their places. */
export const filesAt = (plan: UploadPlan, stage: Stage, most = Number.POSITIVE_INFINITY): number[] => {
  const ids: number[] = [];
  const sought = Math.min(most, plan.tallies[stage].files);
  for (let id = plan.lowest[stage]; id < plan.files.length && ids.length < sought; id += 1) {
    if (fileAt(plan.files, id)?.stage === stage) ids.push(id);
  }
  return ids;
};

const underWay = ['checking', 'ready', 'sending', 'waiting'] as const satisfies readonly Stage[];

/**
 * Files whose checksums are to be asked for, at most `most`. Of files with the same content one goes first: the others are asked for when it has
 * arrived, and are there then.
 */
export const filesToCheck = (plan: UploadPlan, most: number): number[] => {
  const claimed = new Set(
    underWay.flatMap((stage) => filesAt(plan, stage)).map((id) => fileAt(plan.files, id)?.checksum),
  );
  const ids: number[] = [];
  // Thousands may have been read by now: they are looked at one by one, and not listed.
  let unseen = plan.tallies.hashed.files;
  for (let id = plan.lowest.hashed; unseen > 0 && ids.length < most; id += 1) {
    const file = fileAt(plan.files, id);
    if (file === undefined) break;
    if (file.stage !== 'hashed') continue;
    unseen -= 1;
    if (claimed.has(file.checksum)) continue;
    claimed.add(file.checksum);
    ids.push(id);
  }
  return ids;
};

/** How far all uploads of a plan have come. */
export interface Progress {
  readonly files: number;
  readonly settledFiles: number;
  readonly bytes: number;
  /** Bytes that were sent, and bytes of files that need not be sent. */
  readonly settledBytes: number;
}

/** Files that were cancelled do not count; those that were refused count as settled. */
export const progressOf = ({ tallies }: UploadPlan): Progress => {
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

/** Whether all files have come to their end; `missing` ones wait for somebody. */
export const isPlanSettled = (plan: UploadPlan): boolean =>
  stages.every((stage) => isSettled({ stage }) || plan.tallies[stage].files === 0);

/** Whether something is being done that leaving the page would break off. */
export const isPlanBusy = (plan: UploadPlan): boolean =>
  stages.some((stage) => !isSettled({ stage }) && stage !== 'missing' && plan.tallies[stage].files > 0);
