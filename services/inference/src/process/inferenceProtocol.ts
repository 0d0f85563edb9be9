import type { Face } from '../faces/findFaces.ts';
import type { Labels } from '../labels/findLabels.ts';
import type { PictureSizes } from '../pixels/rgbPixels.ts';
import type { ModelStore } from '../store/modelStore.ts';
import type { TextLine } from '../text/findText.ts';

/** What is found in a picture, by the name of the task that finds it. */
export interface Findings {
  readonly faces: readonly Face[];
  readonly labels: Labels;
  /** Whether there may be text, which is not worth looking for in most photos. */
  readonly glance: boolean;
  readonly text: readonly TextLine[];
}

export type TaskName = keyof Findings;

/** What an inference child is told when it starts, as JSON in its first argument. */
export interface InferenceSettings {
  readonly store: ModelStore;
  /** Threads of the model that runs. */
  readonly threads: number;
  /** The execution provider that is wanted, such as cpu or cuda. */
  readonly provider: string;
}

/** The execution provider that models run on. */
export interface ChosenProvider {
  readonly name: string;
  /** Why it is not the one that was wanted. */
  readonly problem?: string;
}

/** A request to an inference child: sent once it is ready, and again after each answer. */
export interface InferenceRequest {
  readonly task: TaskName;
  readonly sizes: PictureSizes;
}

/** A message of an inference child: `ready` first and once, then one per request. The child opens no file from strangers, so what it says is believed. */
export type InferenceMessage =
  | { readonly kind: 'ready'; readonly provider: ChosenProvider }
  | { readonly kind: 'found'; readonly value: Findings[TaskName] }
  | { readonly kind: 'missing'; readonly text: string }
  | { readonly kind: 'failure'; readonly text: string };
