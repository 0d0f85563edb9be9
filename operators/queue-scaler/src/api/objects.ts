import type { QueueScalerSpec, QueueScalerStatus } from './queueScaler.ts';

/** Metadata of an object that the API server returned. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Increases with each change of the spec. */
  readonly generation?: number;
  readonly creationTimestamp: string;
}

export interface QueueScaler {
  readonly metadata: ObjectMeta;
  readonly spec: QueueScalerSpec;
  readonly status?: QueueScalerStatus;
}

/** A HorizontalPodAutoscaler or a ScaledObject of KEDA. Only ScaledObjects may omit the kind. */
export interface OtherScaler {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly scaleTargetRef?: { readonly kind?: string; readonly name?: string } };
}

/** A list; a watch continues from its resource version. */
export interface List<Item> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Item[];
}
