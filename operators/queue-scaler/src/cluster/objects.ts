import type { QueueScalerSpec, QueueScalerStatus } from '../queueScaler.ts';

/** What every object of ours has. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Counts changes of the spec. */
  readonly generation?: number;
  readonly creationTimestamp: string;
}

export interface QueueScaler {
  readonly metadata: ObjectMeta;
  readonly spec: QueueScalerSpec;
  readonly status?: QueueScalerStatus;
}

/** A HorizontalPodAutoscaler, or a ScaledObject of KEDA, where the kind may be left out. */
export interface OtherScaler {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string } };
}

/** A list, whose resource version is where a watch goes on. */
export interface List<Item> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Item[];
}
