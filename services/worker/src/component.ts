import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import type { Outcome } from '@hearth/core/db/runs/runOutcomes.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import type { ItemDeps } from './deps.ts';
import type { RgbPixels } from './media/readPixels.ts';

/** What the components of one job share: each thing is fetched or made once, when it is first asked for. */
export interface ItemContext {
  readonly item: MediaItemRow;
  /** The path of a local file with the original's bytes, which must not be changed. */
  readonly original: () => Promise<string>;
  /**
   * The path of a local file with the preview as it is now, JPEG or WebP, of a video with its poster. For components `after` PREVIEW_THUMBNAIL: a
   * run that ends by what this throws where there is none ends as the run of PREVIEW_THUMBNAIL has, with its reason.
   */
  readonly preview: () => Promise<string>;
  /**
   * The pixels of the preview in one of the sizes that a component of the pool has in its `pixels`: all of these are read by one decode, in a decoder
   * child, the smaller ones cut from the largest. Never enlarged, and shared: not to be changed. Throws what `preview` does.
   */
  readonly pixels: (longerSide: number) => Promise<RgbPixels>;
  /**
   * Whether the local file, if there is one, is still what was uploaded: by its length, or by all of its bytes. A file that is not is
   * dropped, and the next one who asks gets it anew.
   */
  readonly isOriginalWhole: (by: 'length' | 'bytes') => Promise<boolean>;
}

/** What a component that takes long is told, and tells, while it runs. */
export interface RunControl {
  /** Aborted when the result is of no use any more: the run has passed to another worker, its item is being removed, or this process ends. */
  readonly signal: AbortSignal;
  /** How far the run has come, from 0 to 1; may be called as often as one likes. */
  readonly report: (fraction: number) => void;
}

/** What a component may end with; it throws what is worth another try. */
export type ComponentOutcome = Exclude<Outcome, { readonly state: 'RETRY' | 'POSTPONED' }>;

/** What takes memory or processes from a worker's start on; decoders start when they are first asked. */
export type Tool = 'exiftool' | 'places';

/**
 * One processing step. Running it twice leaves the same rows and objects as once: it writes objects under keys that its
 * version fixes, and answers the changes of the item's row, which are written together with the outcome.
 * @throws anything: a `PermanentError` is not tried again, everything else is
 */
export interface Component {
  readonly name: ComponentName;
  /** What a worker opens at its start for it. */
  readonly opens: readonly Tool[];
  /** What a worker must be able to do for it, such as `decode image/jpeg`; without it the run is `BLOCKED`. */
  readonly capabilities: readonly string[];
  /** Longer side of the pixels that it asks for, at most that of a preview (1440). */
  readonly pixels?: number;
  run(deps: ItemDeps, context: ItemContext, control: RunControl): Promise<ComponentOutcome>;
}
