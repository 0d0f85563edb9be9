import { BlockList, isIPv6 } from 'node:net';
import type { KubernetesObject, NetworkPeer, NetworkPort } from './kubernetesObject.ts';
import { podTemplates, selects } from './pods.ts';

/** A pod, or an address outside the cluster. */
export type Endpoint = Pod | { readonly ip: string };

/** The pod properties that policies match. */
export interface Pod {
  readonly labels: Readonly<Record<string, string>>;
  readonly namespace: string;
  /** Container ports by name. */
  readonly ports: Readonly<Record<string, number>>;
}

/** A connection that a pod opens. */
export interface Connection {
  readonly to: Endpoint;
  readonly port: number;
  /** The default is TCP. */
  readonly protocol?: 'TCP' | 'UDP';
}

/** Namespace of every rendered scenario. */
export const releaseNamespace = 'photos';

/**
 * Returns the pod of a release with these values of `app.kubernetes.io/component` and `hearth.photos/pool`.
 * @throws Error if no pod matches
 */
export const findPod = (objects: readonly KubernetesObject[], component: string, pool?: string): Pod => {
  const found = podTemplates(objects).find(
    ({ labels }) => labels['app.kubernetes.io/component'] === component && labels['hearth.photos/pool'] === pool,
  );
  if (found === undefined) throw new Error(`no pod of ${component} ${pool ?? ''}`);
  const ports = found.spec.containers.flatMap((container) => container.ports ?? []);
  return {
    labels: found.labels,
    namespace: releaseNamespace,
    ports: Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort])),
  };
};

/**
 * Evaluates the NetworkPolicies by the rules of Kubernetes. If policies for a direction select a pod, at least one of
 * them must allow the connection; otherwise every connection is allowed. A connection between pods must be allowed on
 * both sides. An ipBlock matches no pod, as with Cilium.
 */
export const isAllowed = (objects: readonly KubernetesObject[], from: Pod, connection: Connection): boolean => {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  return (
    isAllowedIn(policies, 'Egress', from, connection.to, connection) &&
    (!isPod(connection.to) || isAllowedIn(policies, 'Ingress', connection.to, from, connection))
  );
};

const isPod = (endpoint: Endpoint): endpoint is Pod => 'labels' in endpoint;

const isAllowedIn = (
  policies: readonly KubernetesObject[],
  direction: 'Egress' | 'Ingress',
  pod: Pod,
  peer: Endpoint,
  connection: Connection,
): boolean => {
  const matching = policies.filter(
    ({ spec }) =>
      pod.namespace === releaseNamespace &&
      spec!.policyTypes!.includes(direction) &&
      selects(spec!.podSelector!.matchLabels ?? {}, pod.labels),
  );
  if (matching.length === 0) return true;
  const rules = matching.flatMap(({ spec }) => (direction === 'Egress' ? spec!.egress : spec!.ingress) ?? []);
  return rules.some(({ ports, to, from }) => {
    const peers = direction === 'Egress' ? to : from;
    return (
      (ports === undefined || ports.some((port) => matchesPort(port, connection))) &&
      (peers === undefined || peers.some((each) => matchesPeer(each, peer)))
    );
  });
};

/** Matches a port. The default protocol is TCP. The accepting pod defines the number of a named port. */
const matchesPort = ({ port, protocol = 'TCP' }: NetworkPort, connection: Connection): boolean => {
  const { to } = connection;
  const number = typeof port === 'string' ? (isPod(to) ? to.ports[port] : undefined) : port;
  return protocol === (connection.protocol ?? 'TCP') && (port === undefined || number === connection.port);
};

/** Matches a peer. Without a namespaceSelector, a podSelector selects in the policy's own namespace. */
const matchesPeer = ({ ipBlock, podSelector, namespaceSelector }: NetworkPeer, peer: Endpoint): boolean => {
  if (!isPod(peer))
    return (
      ipBlock !== undefined &&
      isInBlock(ipBlock.cidr, peer.ip) &&
      !ipBlock.except?.some((each) => isInBlock(each, peer.ip))
    );
  if (ipBlock !== undefined) return false;
  const isNamespace =
    namespaceSelector === undefined
      ? peer.namespace === releaseNamespace
      : selects(namespaceSelector.matchLabels ?? {}, { 'kubernetes.io/metadata.name': peer.namespace });
  return isNamespace && selects(podSelector?.matchLabels ?? {}, peer.labels);
};

/** Returns true if a block, such as 10.0.0.0/8, contains an address or another block. */
export const isInBlock = (cidr: string, addressOrBlock: string): boolean => {
  const [network = '', prefix = ''] = cidr.split('/');
  const [address = '', innerPrefix = prefix] = addressOrBlock.split('/');
  const blocks = new BlockList();
  blocks.addSubnet(network, Number(prefix), family(network));
  return (
    Number(innerPrefix) >= Number(prefix) &&
    family(address) === family(network) &&
    blocks.check(address, family(address))
  );
};

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
