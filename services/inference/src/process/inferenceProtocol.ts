import type { MeaningVector, SearchModelName } from '@hearth/core/config/searchModels.ts';
import type { Face } from '../faces/findFaces.ts';
import type { Labels } from '../labels/findLabels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import type { ModelStore } from '../store/modelStore.ts';
import type { TextLine } from '../text/findText.ts';

/** What is found, by the name of the task that finds it. */
export interface Findings {
  readonly faces: readonly Face[];
  readonly labels: Labels;
  /** Whether there may be text, which is not worth looking for in most photos. */
  readonly glance: boolean;
  readonly text: readonly TextLine[];
  /** What the picture means to the search model of the installation. */
  readonly meaning: Float32Array;
  /** What a query means to a search model. */
  readonly query: MeaningVector;
}

export type TaskName = keyof Findings;

/** What a task is about: a picture, but for a query. */
export type Subject<Name extends TaskName> = Name extends 'query' ? Query : PictureSizes;

/** A text, and the model to which it means something. */
export interface Query {
  readonly text: string;
  readonly model: SearchModelName;
}

/** What an inference child is told when it starts, as JSON in its first argument. */
export interface InferenceSettings {
  readonly store: ModelStore;
  /** Threads of the model that runs. */
  readonly threads: number;
  /** The execution provider that is wanted, such as cpu or cuda. */
  readonly provider: string;
  /** The search model of the installation. */
  readonly searchModel: SearchModelName;
}

/** The execution provider that models run on. */
export interface ChosenProvider {
  readonly name: string;
  /** Why it is not the one that was wanted. */
  readonly problem?: string;
}

/** A request to an inference child: sent once it is ready, and again after each answer. */
export type InferenceRequest = {
  readonly [Name in TaskName]: { readonly task: Name; readonly subject: Subject<Name> };
}[TaskName];

/** A message of an inference child: `ready` first and once, then one per request. The child opens no file from strangers, so what it says is believed. */
export type InferenceMessage =
  | { readonly kind: 'ready'; readonly provider: ChosenProvider }
  | { readonly kind: 'found'; readonly value: Findings[TaskName] }
  | { readonly kind: 'missing'; readonly text: string }
  | { readonly kind: 'failure'; readonly text: string };
