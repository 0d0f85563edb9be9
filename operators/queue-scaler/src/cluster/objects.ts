import type { QueueScalerSpec, QueueScalerStatus } from '../queueScaler.ts';

/** The parts of Kubernetes objects that are read. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Counts changes of the spec; objects without a status have none. */
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface KubernetesObject {
  readonly metadata: ObjectMeta;
}

export interface QueueScaler extends KubernetesObject {
  readonly spec: QueueScalerSpec;
  readonly status?: QueueScalerStatus;
}

export interface Deployment extends KubernetesObject {
  readonly spec: {
    readonly replicas: number;
    readonly selector: LabelSelector;
    readonly paused?: boolean;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

export interface Pod extends KubernetesObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
  };
}

/** A HorizontalPodAutoscaler, or a ScaledObject of KEDA, where the kind may be left out. */
export interface OtherScaler extends KubernetesObject {
  readonly spec: { readonly scaleTargetRef: { readonly kind?: string; readonly name: string } };
}

export interface Lease extends KubernetesObject {
  readonly spec: LeaseSpec;
}

export interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  /** RFC 3339 with microseconds, as `renewTime` is. */
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Secret extends KubernetesObject {
  /** In base64. */
  readonly data?: Readonly<Record<string, string>>;
}

/** A list, whose resource version is where a watch goes on. */
export interface List<Item> {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Item[];
}
