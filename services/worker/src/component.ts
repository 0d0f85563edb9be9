import type { ComponentName } from '@hearth/contract/vocabulary.ts';
import type { Outcome } from '@hearth/core/db/runs/runOutcomes.ts';
import type { MediaItemRow } from '@hearth/core/db/connection/schema.ts';
import type { ItemDeps } from './deps.ts';

/** What the components of one job share: each thing is fetched or made once, when it is first asked for. */
export interface ItemContext {
  readonly item: MediaItemRow;
  /** The path of a local file with the original's bytes, which must not be changed. */
  readonly original: () => Promise<string>;
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
  run(deps: ItemDeps, context: ItemContext, control: RunControl): Promise<ComponentOutcome>;
}
