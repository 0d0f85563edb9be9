import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { notRequired } from '@hearth/testkit/run/tools.ts';

const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kwok-stages.yaml',
] as const;

const folder = process.env['HEARTH_KUBERNETES_BIN'];

/** Returns the path of a Kubernetes program. */
export const programPath = (name: (typeof programs)[number]): string => join(folder!, name);

/** Returns the reason why no control plane can be started, or false. */
export const missingControlPlane = (): string | false => {
  if (folder === undefined) return `HEARTH_KUBERNETES_BIN is not set to a folder of Kubernetes programs ${notRequired}`;
  const missing = programs.filter((name) => !existsSync(programPath(name)));
  return missing.length > 0 && `${missing.join(', ')} missing in HEARTH_KUBERNETES_BIN (${folder})`;
};

export interface ControlPlaneFiles {
  readonly home: string;
  readonly ports: Readonly<Record<'etcd' | 'peer' | 'api' | 'manager' | 'scheduler' | 'kwok', number>>;
  readonly kubeconfig: string;
  /** Static tokens of the API server. */
  readonly tokens: string;
  /** Key pair for service account tokens. */
  readonly signingKey: string;
  readonly publicKey: string;
  readonly auditLog: string;
  readonly auditPolicy: string;
}

/** Returns the arguments of each program, in start order. */
export const makeArguments = (files: ControlPlaneFiles) => {
  const { home, ports, kubeconfig } = files;
  const [etcd, peer] = [ports.etcd, ports.peer].map((port) => `http://127.0.0.1:${port}`) as [string, string];
  const local = { 'bind-address': '127.0.0.1' };
  /** Flags of a controller with a single replica. */
  const singleReplica = { ...local, kubeconfig, 'leader-elect': 'false' };
  return {
    etcd: flags({
      'data-dir': join(home, 'etcd'),
      'unsafe-no-fsync': 'true',
      'log-level': 'error',
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    }),
    'kube-apiserver': flags({
      ...local,
      'secure-port': `${ports.api}`,
      'cert-dir': join(home, 'certificates'),
      'etcd-servers': etcd,
      'service-cluster-ip-range': '10.96.0.0/16',
      'authorization-mode': 'RBAC',
      'token-auth-file': files.tokens,
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': files.publicKey,
      'service-account-signing-key-file': files.signingKey,
      'endpoint-reconciler-type': 'none',
      'audit-log-path': files.auditLog,
      'audit-policy-file': files.auditPolicy,
    }),
    'kube-controller-manager': flags({
      ...singleReplica,
      'secure-port': `${ports.manager}`,
      'service-account-private-key-file': files.signingKey,
      'kube-api-qps': '300',
      'kube-api-burst': '500',
    }),
    'kube-scheduler': flags({ ...singleReplica, 'secure-port': `${ports.scheduler}` }),
    kwok: flags({
      config: programPath('kwok-stages.yaml'),
      kubeconfig,
      'manage-all-nodes': 'true',
      'node-ip': '127.0.0.1',
      'server-address': `127.0.0.1:${ports.kwok}`,
    }),
  } as const;
};

const flags = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
