import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { findMediaItemForWork } from '@hearth/core/items/mediaItems.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import { recordOriginalCheck } from '@hearth/core/originals/originalChecks.ts';
import { checkOriginalBytes, checkOriginalSize } from '@hearth/core/objects/checkOriginal.ts';
import { originalKey } from '@hearth/core/objects/keys.ts';
import { isNotFound, StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { LocalFile } from '@hearth/core/objects/objects.ts';
import { type ItemContext, OriginalFaultError, type OriginalFault } from './component.ts';
import { getItemDeps, type Deps } from './deps.ts';
import { DecodeError } from '../media/errors/decodeError.ts';
import { readCompletely } from '../media/errors/readErrors.ts';
import type { RgbPixels } from '../media/photo/readPixels.ts';
import { listRuns } from '@hearth/core/runs/componentRuns.ts';
import type { Database } from '@hearth/core/db/database.ts';
import type { Outcome } from '@hearth/core/runs/runOutcomes.ts';

/**
 * Opens the context of one job. Each entry of `previewSizeGroups` lists sizes, as longer sides in pixels, that one decode reads when a component requests
 * one of them. Disposing the context deletes its temporary files.
 */
export const openItemContext = (
  deps: Deps,
  item: MediaItemRow,
  previewSizeGroups: readonly (readonly number[])[],
): ItemContext & AsyncDisposable => {
  let original: Promise<LocalFile> | undefined;
  let preview: Promise<LocalFile> | undefined;
  const decoded = new Map<readonly number[], Promise<readonly RgbPixels[]>>();
  const fetch = (key: string): Promise<LocalFile> => deps.objects.file(key, deps.scratchDirectory);
  const drop = async (): Promise<void> => {
    const opened = await original?.catch(() => undefined);
    original = undefined;
    await opened?.[Symbol.asyncDispose]();
  };
  const previewPath = async (): Promise<string> => {
    preview ??= findPreviewKey(deps, item).then(fetch);
    return (await preview).path;
  };
  /** Fetches the original. A local file of the wrong size is deleted, so that no component reads it. */
  const fetchOriginal = async (): Promise<LocalFile> => {
    const fetched = await fetch(originalKey(item.user_id, item.id)).catch(async (error: unknown) => {
      if (isNotFound(error)) await findOriginalFault(deps, item, 'length');
      throw error;
    });
    if (await hasUploadedSize(fetched.path, item).catch(() => false)) return fetched;
    await fetched[Symbol.asyncDispose]();
    const fault = await findOriginalFault(deps, item, 'length');
    throw fault === undefined
      ? new StoreError(`local copy of original ${item.id} has the wrong size`)
      : new OriginalFaultError(fault);
  };
  return {
    item,
    original: async () => {
      original ??= fetchOriginal();
      return (await original).path;
    },
    preview: previewPath,
    pixels: async (longerSide) => {
      const sides = previewSizeGroups.find((each) => each.includes(longerSide));
      if (sides === undefined) throw new RangeError(`no component of this pool declares pixels(${longerSide})`);
      const pixels = decoded.get(sides) ?? previewPath().then((path) => decodePreview(deps, item, path, sides));
      decoded.set(sides, pixels);
      return (await pixels)[sides.indexOf(longerSide)]!;
    },
    findOriginalFault: async (by) => {
      const opened = await original?.catch(() => undefined);
      if (opened === undefined) return undefined;
      if (await (by === 'length' ? hasUploadedSize : hasUploadedBytes)(opened.path, item).catch(() => false))
        return undefined;
      await drop();
      // If the store is unreachable, the state of its copy is unknown.
      return (await findOriginalFault(deps, item, by).catch(() => undefined)) ?? 'UNREADABLE';
    },
    [Symbol.asyncDispose]: async () => {
      await drop();
      await (await preview?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
};

/** Reads the item again, because its preview may have been made in this job. @throws PreviewMissingError */
const findPreviewKey = async ({ db }: Deps, { id, type }: MediaItemRow): Promise<string> => {
  const now = await findMediaItemForWork(db, id);
  const key = type === 'VIDEO' ? now?.poster_key : now?.preview_key;
  if (key === undefined || key === null) throw await explainMissingPreview(db, id);
  return key;
};

/** Reads pixels of a preview. A failure here does not mean that the uploaded file is damaged, so the run is retried. */
const decodePreview = async (
  deps: Deps,
  { user_id }: MediaItemRow,
  path: string,
  sides: readonly number[],
): Promise<readonly RgbPixels[]> => {
  try {
    return await getItemDeps(deps, user_id).decoders.readPixels(path, sides);
  } catch (cause) {
    throw cause instanceof DecodeError && cause.permanent ? new Error('could not read the preview', { cause }) : cause;
  }
};

/** Compares the stored original with its record, and records a fault. Returns the fault as the reason of a run. @throws StoreError */
const findOriginalFault = async (
  { db, objects, log }: Pick<Deps, 'db' | 'objects' | 'log'>,
  item: MediaItemRow,
  by: 'length' | 'bytes',
): Promise<OriginalFault | undefined> => {
  const check = await (by === 'length' ? checkOriginalSize : checkOriginalBytes)(objects, item);
  if (check.state === 'OK') return undefined;
  log.error({ mediaItemId: item.id, state: check.state }, 'stored original differs from the upload; upload it again');
  await recordOriginalCheck(db, item.id, check);
  return `ORIGINAL_${check.state}`;
};

const hasUploadedSize = async (path: string, { size_bytes }: MediaItemRow): Promise<boolean> =>
  (await stat(path)).size === size_bytes;

const hasUploadedBytes = async (path: string, { checksum }: MediaItemRow): Promise<boolean> => {
  const hash = createHash('sha256');
  await readCompletely(path, (bytes) => hash.update(bytes));
  return hash.digest().equals(checksum);
};

/** The item has no preview. A run that needs one ends like the run of PREVIEW_THUMBNAIL. */
export class PreviewMissingError extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('item has no preview');
    this.name = 'PreviewMissingError';
    this.outcome = outcome;
  }
}

const explainMissingPreview = async (db: Database, mediaItemId: string): Promise<PreviewMissingError> => {
  const run = (await listRuns(db, mediaItemId)).find(({ component }) => component === 'PREVIEW_THUMBNAIL');
  const reason = run?.reason ?? 'INTERNAL';
  if (run?.state === 'BLOCKED' && run.blocked_on !== null)
    return new PreviewMissingError({ state: 'BLOCKED', reason, blockedOn: run.blocked_on });
  if (run?.state === 'FAILED') return new PreviewMissingError({ state: 'FAILED', reason });
  return new PreviewMissingError({ state: 'RETRY', reason });
};
