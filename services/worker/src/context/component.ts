import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import type { Outcome } from '@hearth/core/runs/runOutcomes.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { ItemDeps } from './deps.ts';
import type { RgbPixels } from '../media/photo/readPixels.ts';
import type { Tool } from './tools.ts';

/** What the components of one job share: each thing is fetched or made once, when it is first asked for. */
export interface ItemContext {
  readonly item: MediaItemRow;
  /**
   * The path of a local file with the original's bytes, which must not be changed.
   * @throws OriginalFaultError if the stored original has the wrong size, ObjectNotFoundError if it is missing; either is recorded
   */
  readonly original: () => Promise<string>;
  /**
   * The path of a local file with the present preview (JPEG or WebP), or with the poster of a video. For components `after` PREVIEW_THUMBNAIL. Throws
   * where there is no preview: a component that lets this error pass ends as PREVIEW_THUMBNAIL has ended, with the same reason.
   */
  readonly preview: () => Promise<string>;
  /**
   * The pixels of the preview, in one of the sizes that components of the pool name in their `pixels` and `seldomPixels`. One decode in a decoder child
   * reads all `pixels` of the components whose models are here, and another one all other sizes when one of them is first asked for; the smaller ones are
   * cut from the largest. A picture is never enlarged. The pixels are shared and must not be changed. Throws as `preview` does.
   */
  readonly pixels: (longerSide: number) => Promise<RgbPixels>;
  /**
   * Compares the local file, if there is one, with the upload: by length, or byte by byte. Returns undefined if it is whole. Otherwise the file
   * is dropped, so that the next call of `original` fetches it again, and the reason is returned: UNREADABLE if only the local file differs.
   */
  readonly findOriginalFault: (by: 'length' | 'bytes') => Promise<OriginalFault | 'UNREADABLE' | undefined>;
}

/** How a worker stops a component while it runs, and how the component reports its progress. */
export interface RunControl {
  /** Aborted when the result is of no use any more: the run has passed to another worker, its item is being removed, or this process ends. */
  readonly signal: AbortSignal;
  /** Reports the progress of the run, from 0 to 1; may be called at any rate. */
  readonly report: (fraction: number) => void;
}

/** The outcomes that a component may answer. For a failure that is worth a retry it throws an error. */
export type ComponentOutcome = Exclude<Outcome, { readonly state: 'RETRY' | 'POSTPONED' }>;

/**
 * One processing step. To run it twice leaves the same rows and objects as to run it once: it writes objects under keys that follow from its version,
 * and answers the changes of the item's row, which are written together with the outcome.
 * @throws anything: a `DecodeError` that is `permanent` is not tried again, everything else is
 */
export interface Component {
  readonly name: ComponentName;
  /** The tools that the component needs. */
  readonly opens: readonly Tool[];
  /** The capabilities that a worker must have for the component, such as `decode image/jpeg`; without them the run is `BLOCKED`. */
  readonly capabilities: readonly string[];
  /** The longer side of the pixels that the component asks for, at most that of a preview (1440); several where it asks for several sizes. */
  readonly pixels?: number | readonly number[];
  /** Further sizes that it asks for with few items: they are megabytes, on the way through two processes. */
  readonly seldomPixels?: readonly number[];
  run(deps: ItemDeps, context: ItemContext, control: RunControl): Promise<ComponentOutcome>;
}

/** Why a stored original cannot be used, as the reason of a run. */
export type OriginalFault = 'ORIGINAL_DAMAGED' | 'ORIGINAL_MISSING';

/** The stored original is damaged or missing. Uploading it again repairs it. */
export class OriginalFaultError extends Error {
  readonly fault: OriginalFault;

  constructor(fault: OriginalFault) {
    super(`the stored original cannot be used: ${fault}`);
    this.name = 'OriginalFaultError';
    this.fault = fault;
  }
}
