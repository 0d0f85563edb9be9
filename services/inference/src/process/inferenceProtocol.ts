import type { QueryEmbedding, SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Face } from '../faces/findFaces.ts';
import type { Labels } from '../labels/findLabels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import type { ModelStore } from '../store/modelStore.ts';
import type { TextLine } from '../text/findText.ts';

/** The results of tasks, by task name. */
export interface Findings {
  readonly faces: readonly Face[];
  readonly labels: Labels;
  /** True if the picture may show text. Most photos show none, and a full search is expensive. */
  readonly glance: boolean;
  readonly text: readonly TextLine[];
  /** The picture's embedding by the configured search model. */
  readonly meaning: Float32Array;
  /** A query's embedding by a search model. */
  readonly query: QueryEmbedding;
}

export type TaskName = keyof Findings;

/** The input of a task: a query for `query`, otherwise a picture. */
export type Subject<Name extends TaskName> = Name extends 'query' ? Query : PictureSizes;

/** A text, and the model to embed it with. */
export interface Query {
  readonly text: string;
  readonly model: SearchModelName;
}

/** The first argument of an inference child, as JSON. */
export interface InferenceSettings {
  readonly store: ModelStore;
  /** Threads of a running model. */
  readonly threads: number;
  /** The requested execution provider, such as cpu or cuda. */
  readonly provider: string;
  /** The configured search model. */
  readonly searchModel: SearchModelName;
}

/** The execution provider in use. */
export interface ChosenProvider {
  readonly name: string;
  /** The reason if it is not the requested one. */
  readonly problem?: string;
}

/** A request to an inference child, which takes the next one only after its response. */
export type InferenceRequest = {
  readonly [Name in TaskName]: { readonly task: Name; readonly subject: Subject<Name> };
}[TaskName];

/**
 * A message of an inference child: first `ready`, then one per request. Messages are trusted, because the child opens
 * no files of users.
 */
export type InferenceMessage =
  | { readonly kind: 'ready'; readonly provider: ChosenProvider }
  | { readonly kind: 'found'; readonly value: Findings[TaskName] }
  | { readonly kind: 'missing'; readonly text: string }
  | { readonly kind: 'failure'; readonly text: string };
