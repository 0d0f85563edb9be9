/** The fields of a Kubernetes object of any kind that the tests read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: Spec;
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly PolicyRule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly name: string; readonly namespace?: string }[];
}

type Texts = Readonly<Record<string, string>>;

interface Metadata {
  readonly name: string;
  readonly labels?: Texts;
  readonly annotations?: Texts;
}

/** Fields of the specs of several kinds. Each kind has some of them. */
interface Spec {
  readonly replicas?: number;
  readonly serviceName?: string;
  readonly selector?: Selector & Texts;
  readonly template?: { readonly metadata: Partial<Metadata>; readonly spec: PodSpec };
  readonly volumeClaimTemplates?: readonly KubernetesObject[];
  readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  readonly scaleTargetRef?: { readonly name: string };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly queues?: readonly { readonly name: string; readonly jobsPerReplica: number }[];
  readonly redis?: { readonly secretRef: KeyReference };
  readonly podSelector?: Selector;
  readonly policyTypes?: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly NetworkPolicyRule[];
  readonly egress?: readonly NetworkPolicyRule[];
  readonly endpoints?: readonly { readonly port: string }[];
  readonly targetLabels?: readonly string[];
  readonly podTargetLabels?: readonly string[];
  readonly podMetricsEndpoints?: readonly { readonly port: string }[];
  readonly groups?: readonly object[];
  readonly rules?: readonly object[];
}

/** A rule of a NetworkPolicy: `from` of an ingress rule, `to` of an egress rule. */
export interface NetworkPolicyRule {
  readonly ports?: readonly NetworkPort[];
  readonly from?: readonly NetworkPeer[];
  readonly to?: readonly NetworkPeer[];
}

export interface NetworkPort {
  readonly port?: string | number;
  readonly protocol?: 'TCP' | 'UDP';
}

export interface NetworkPeer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Selector {
  readonly matchLabels?: Texts;
}

/** A key of a Secret or ConfigMap. */
interface KeyReference {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface PodSpec {
  readonly priorityClassName?: string;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly topologySpreadConstraints?: readonly { readonly whenUnsatisfiable: string }[];
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy?: string;
  readonly terminationMessagePolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentVariable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number; readonly hostPort?: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop?: { readonly exec: { readonly command: readonly string[] } } };
  readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities };
  readonly securityContext?: {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
}

/** Amounts in Kubernetes notation: 100m, 1Gi, or a number. */
type Quantities = Readonly<Record<string, string | number>>;

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: KeyReference; readonly fieldRef?: { readonly fieldPath: string } };
}

interface Probe {
  readonly periodSeconds?: number;
  readonly failureThreshold?: number;
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly tcpSocket?: { readonly port: string };
  readonly exec?: { readonly command: readonly string[] };
}

interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string | number };
  readonly configMap?: { readonly name: string };
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}
