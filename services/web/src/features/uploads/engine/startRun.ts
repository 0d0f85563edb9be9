import { removeSharedFiles } from '../../../lib/browser/sharedFiles.ts';
import { fileAt } from '../plan/fileList.ts';
import type { FileEvent, UploadFile } from '../plan/uploadFile.ts';
import { isSettled } from '../plan/uploadFile.ts';
import {
  emptyPlan,
  listFilesAt,
  isPlanSettled,
  nextPlan,
  type PlanEvent,
  type UploadPlan,
} from '../plan/uploadPlan.ts';
import type { SavedUploads } from '../saved/savedUploads.ts';
import { startChecking, startHashing } from './checking.ts';
import type { Entry } from './entries.ts';
import { makeGate, type Gate } from './gate.ts';
import { startSaving } from './saving.ts';
import { startSending } from './sending.ts';
import type { UploadContext } from './work.ts';
import { authorizedFetch } from '../../../lib/api/session.ts';

/** State and steps of the uploads since the list was last cleared. */
export interface Run {
  readonly plan: () => UploadPlan;
  readonly entry: (id: number) => Entry;
  readonly gate: Gate;
  readonly add: (files: readonly UploadFile[], entries: readonly Entry[]) => void;
  /** Resumes files of an earlier visit. `entry` contains the source of the bytes. */
  readonly find: (found: readonly (readonly [id: number, entry: Partial<Entry>])[]) => void;
  readonly pause: () => void;
  readonly retry: (ids: readonly number[]) => void;
  readonly cancel: (ids: readonly number[]) => void;
  /** Resolves when all unsaved changes are written. */
  readonly flush: () => Promise<void>;
  readonly stop: () => void;
}

/** Starts empty. Calls `onChange` after every change, and `onSettled` when the last file is settled. */
export const startRun = (saved: SavedUploads, onChange: () => void, onSettled: () => void): Run => {
  let plan = emptyPlan;
  let isStopped = false;
  let isPumping = false;
  let dueTimer: ReturnType<typeof setTimeout> | undefined;
  const entries: Entry[] = [];
  const file = (id: number): UploadFile => {
    const found = fileAt(plan.files, id);
    if (found === undefined) throw new Error(`No file ${id}.`);
    return found;
  };
  const entry = (id: number): Entry => {
    const found = entries[id];
    if (found === undefined) throw new Error(`No file ${id}.`);
    return found;
  };
  const saving = startSaving(saved, (id) => ({ file: file(id), entry: entry(id) }));

  const change = (events: readonly PlanEvent[]): void => {
    if (isStopped) return;
    const before = plan;
    plan = nextPlan(plan, events);
    for (const id of new Set(events.flatMap((event) => (event.kind === 'file' ? [event.id] : [])))) {
      const [was, is] = [fileAt(before.files, id), fileAt(plan.files, id)];
      if (was !== undefined && is !== undefined && was !== is) {
        saving.change(id, was, is);
        if (isSettled(is)) handleSettled(id, is);
      }
    }
    if (before !== plan && isPlanSettled(plan) && !isPlanSettled(before)) onSettled();
    onChange();
    pumpSoon();
  };
  const applyEvents = (...events: readonly (readonly [number, FileEvent])[]): void => {
    if (events.length === 0) pumpSoon();
    else change(events.map(([id, event]) => ({ kind: 'file', id, event })));
  };
  const handleSettled = (id: number, { stage }: UploadFile): void => {
    const { shared } = entry(id);
    if (shared !== undefined && stage !== 'failed') void removeSharedFiles([shared]);
  };

  const gate = makeGate(() => {
    onChange();
    pumpSoon();
  });
  const work: UploadContext = {
    plan: () => plan,
    file,
    source: (id) => entry(id).source,
    applyEvents,
    canRequest: () => !isStopped && gate.isOpen(),
    hold: gate.hold,
    succeeded: gate.succeeded,
    halt: gate.halt,
  };
  const sending = startSending(work);
  const steps = [startHashing(work, () => isStopped || gate.isPaused()), startChecking(work), sending];

  const pumpSoon = (): void => {
    if (isPumping || isStopped) return;
    isPumping = true;
    queueMicrotask(() => {
      isPumping = false;
      if (isStopped) return;
      wakeDelayed();
      for (const step of steps) step.pump();
    });
  };
  /** Resumes delayed files when their retry time has come. */
  const wakeDelayed = (): void => {
    clearTimeout(dueTimer);
    const waiting = listFilesAt(plan, 'waiting');
    const due = waiting.filter((id) => (file(id).retryAtMs ?? 0) <= Date.now());
    if (due.length > 0) return applyEvents(...due.map((id) => [id, { kind: 'due' }] as const));
    const next = Math.min(...waiting.map((id) => file(id).retryAtMs ?? 0));
    if (Number.isFinite(next)) dueTimer = setTimeout(pumpSoon, next - Date.now() + 1);
  };

  return {
    plan: () => plan,
    entry,
    gate,
    add: (files, added) => {
      const first = entries.length;
      entries.push(...added);
      change([{ kind: 'added', files }]);
      files.forEach((_, index) => saving.add(first + index));
    },
    find: (found) => {
      for (const [id, known] of found) entries[id] = { ...entry(id), ...known };
      applyEvents(...found.map(([id]) => [id, { kind: 'found' }] as const));
    },
    pause: () => {
      gate.pause();
      sending.interrupt();
    },
    retry: (ids) => applyEvents(...ids.map((id) => [id, { kind: 'retried' }] as const)),
    cancel: (ids) => {
      const urls = ids.map(file).flatMap(({ url, stage }) => (url === undefined || isSettled({ stage }) ? [] : [url]));
      applyEvents(...ids.map((id) => [id, { kind: 'cancelled' }] as const));
      sending.interruptSettled();
      for (const url of urls) void abortUpload(url);
    },
    flush: saving.flush,
    stop: () => {
      isStopped = true;
      clearTimeout(dueTimer);
      saving.stop();
      for (const step of steps) step.stop();
    },
  };
};

/** Deletes the partial upload of a cancelled file on the server. Otherwise, it expires after a week. */
const abortUpload = async (url: string): Promise<void> => {
  await authorizedFetch(url, { method: 'DELETE', headers: { 'Tus-Resumable': '1.0.0' } }).catch(() => undefined);
};
