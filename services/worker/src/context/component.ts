import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import type { Outcome } from '@hearth/core/runs/runOutcomes.ts';
import type { MediaItemRow } from '@hearth/core/db/schema.ts';
import type { ItemDeps } from './deps.ts';
import type { RgbPixels } from '../media/photo/readPixels.ts';
import type { Tool } from './tools.ts';

/** Inputs that the components of one job share. Each is fetched or made once, on first use. */
export interface ItemContext {
  readonly item: MediaItemRow;
  /**
   * Returns the path of a local file with the original's bytes. Do not modify it.
   * @throws OriginalFaultError if the stored original has the wrong size, ObjectNotFoundError if it is missing; either is recorded
   */
  readonly original: () => Promise<string>;
  /**
   * Returns the path of a local file with the current preview (JPEG or WebP) or video poster. For components `after` PREVIEW_THUMBNAIL.
   * @throws PreviewMissingError if the item has none; a component that does not catch it ends like PREVIEW_THUMBNAIL, with the same reason
   */
  readonly preview: () => Promise<string>;
  /**
   * Returns the pixels of the preview in one of the sizes that components of the pool list in `previewSizes` and `onDemandPreviewSizes`. One decode in a
   * decoder child reads all `previewSizes` of components whose models are available. A second decode reads all other sizes on first use. Smaller sizes are
   * scaled from the largest; a picture is never enlarged. The pixels are shared: do not modify them. Throws as `preview` does.
   */
  readonly pixels: (longerSide: number) => Promise<RgbPixels>;
  /**
   * Compares the local file, if it was fetched, with the upload: by length, or byte by byte. Returns undefined if it is intact. Otherwise deletes the
   * file, so that the next call of `original` fetches it again, and returns the reason. UNREADABLE means that only the local file differs, or that
   * the store is unreachable.
   */
  readonly findOriginalFault: (by: 'length' | 'bytes') => Promise<OriginalFault | 'UNREADABLE' | undefined>;
}

/** Stops a running component, and receives its progress. */
export interface RunControl {
  /** Aborted when the result is no longer needed: the lease was lost, the item is being deleted, or the process shuts down. */
  readonly signal: AbortSignal;
  /** Reports the progress of the run, 0 to 1. May be called at any rate. */
  readonly report: (fraction: number) => void;
}

/** Outcomes that a component may return. For a temporary failure it throws an error instead. */
export type ComponentOutcome = Exclude<Outcome, { readonly state: 'RETRY' | 'POSTPONED' }>;

/**
 * One processing step. Running a component again leaves the same rows and objects. Object keys follow from its version, and the returned changes of
 * the item's row are written together with the outcome.
 * @throws anything; only a `DecodeError` with `permanent` is not retried
 */
export interface Component {
  readonly name: ComponentName;
  readonly tools: readonly Tool[];
  /** Capabilities that a worker needs for the component, such as `decode image/jpeg`. Without them the run is `BLOCKED`. */
  readonly capabilities: readonly string[];
  /** Sizes to decode for every item, as longer sides in pixels, at most that of a preview (1440). */
  readonly previewSizes?: number | readonly number[];
  /** Further sizes that only few items need. Not decoded in advance, because they are megabytes that pass through two processes. */
  readonly onDemandPreviewSizes?: readonly number[];
  run(deps: ItemDeps, context: ItemContext, control: RunControl): Promise<ComponentOutcome>;
}

/** A problem of a stored original, as the reason of a run. */
export type OriginalFault = 'ORIGINAL_DAMAGED' | 'ORIGINAL_MISSING';

/** The stored original is damaged or missing. Uploading it again repairs it. */
export class OriginalFaultError extends Error {
  readonly fault: OriginalFault;

  constructor(fault: OriginalFault) {
    super(`unusable stored original: ${fault}`);
    this.name = 'OriginalFaultError';
    this.fault = fault;
  }
}
