import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@hearth/core/embedded/freePort.ts';
import { startKeptServer, type KeptServer } from '@hearth/core/testing/keptServer.ts';
import { isApiError } from '../cluster/apiError.ts';
import { openAsker, type ApiRequest } from './askApi.ts';
import { waitFor } from './waitFor.ts';

/** A real API server with real controllers and one simulated node, on 127.0.0.1, for as long as this process runs. */
export interface ControlPlane {
  readonly url: string;
  readonly caFile: string;
  /** As administrator. */
  ask<Answer>(request: ApiRequest): Promise<Answer>;
  /** Creates an object, where the plural of its kind is `resource`. */
  create(resource: string, object: KubernetesManifest): Promise<void>;
  /** A file with a token of a service account. */
  tokenOf(namespace: string, serviceAccount: string): Promise<string>;
  /** What was asked of the server so far. */
  audit(): Promise<readonly AuditEvent[]>;
  stop(): Promise<void>;
}

export interface KubernetesManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [key: string]: unknown;
}

/** A line of the audit log. */
export interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code: number };
  readonly requestReceivedTimestamp: string;
}

const programs = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kwok-stages.yaml',
] as const;

const folder = process.env['HEARTH_KUBERNETES_BIN'];

/** Why there can be no control plane; false where there can. */
export const missingControlPlane = (): string | false => {
  if (folder === undefined) return 'HEARTH_KUBERNETES_BIN names no folder with the programs of Kubernetes';
  const missing = programs.filter((name) => !existsSync(join(folder, name)));
  return missing.length > 0 && `${missing.join(', ')} not in ${folder}, which HEARTH_KUBERNETES_BIN names`;
};

/** Ready is what the API server says of itself; the others wait for it. */
const isThere = async (): Promise<boolean> => true;

const adminToken = 'admin-for-tests';

export const startControlPlane = async (): Promise<ControlPlane> => {
  const home = await mkdtemp(join(tmpdir(), 'hearth-test-control-plane-'));
  const file = async (name: string, content: string | object): Promise<string> => {
    const path = join(home, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const [etcdPort, peerPort, port, managerPort, schedulerPort, kwokPort] = await findPorts(6);
  const url = `https://127.0.0.1:${port}`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const signingKey = await file('service-account.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const publicKeyFile = await file('service-account.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  const kubeconfig = await file('kubeconfig', {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: adminToken } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  });
  const auditLog = join(home, 'audit.log');
  const caFile = join(home, 'certificates', 'apiserver.crt');
  const asker = openAsker(url, { caFile, token: adminToken });
  const servers: KeptServer[] = [];
  const start = async (name: string, args: readonly string[], isReady: () => Promise<boolean>): Promise<void> => {
    const directory = await mkdtemp(join(home, `${name}-`));
    servers.push(
      await startKeptServer({
        program: join(folder!, name),
        args,
        directory,
        output: join(home, `${name}.log`),
        isReady,
      }),
    );
  };
  const answers = async (path: string): Promise<boolean> => {
    try {
      await asker.ask({ method: 'GET', path });
      return true;
    } catch (error) {
      // Its plain `ok` is no JSON.
      return error instanceof SyntaxError;
    }
  };

  await start(
    'etcd',
    [
      ['--data-dir', join(home, 'etcd'), '--unsafe-no-fsync', '--log-level', 'error'],
      [
        '--listen-client-urls',
        `http://127.0.0.1:${etcdPort}`,
        '--advertise-client-urls',
        `http://127.0.0.1:${etcdPort}`,
      ],
      [
        '--listen-peer-urls',
        `http://127.0.0.1:${peerPort}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peerPort}`,
      ],
      ['--initial-cluster', `default=http://127.0.0.1:${peerPort}`],
    ].flat(),
    isThere,
  );
  await start(
    'kube-apiserver',
    [
      ['--bind-address', '127.0.0.1', '--secure-port', `${port}`, '--cert-dir', join(home, 'certificates')],
      ['--etcd-servers', `http://127.0.0.1:${etcdPort}`, '--service-cluster-ip-range', '10.96.0.0/16'],
      [
        '--authorization-mode',
        'RBAC',
        '--token-auth-file',
        await file('tokens.csv', `${adminToken},admin,1,system:masters\n`),
      ],
      ['--service-account-issuer', 'https://kubernetes.default.svc', '--service-account-key-file', publicKeyFile],
      ['--service-account-signing-key-file', signingKey, '--endpoint-reconciler-type', 'none'],
      ['--audit-log-path', auditLog, '--audit-policy-file', await file('audit.json', auditPolicy)],
    ].flat(),
    () => answers('/readyz'),
  );
  await start(
    'kube-controller-manager',
    [
      [
        '--kubeconfig',
        kubeconfig,
        '--bind-address',
        '127.0.0.1',
        '--secure-port',
        `${managerPort}`,
        '--leader-elect=false',
      ],
      ['--service-account-private-key-file', signingKey, '--kube-api-qps', '300', '--kube-api-burst', '500'],
    ].flat(),
    isThere,
  );
  await start(
    'kube-scheduler',
    [
      '--kubeconfig',
      kubeconfig,
      '--bind-address',
      '127.0.0.1',
      '--secure-port',
      `${schedulerPort}`,
      '--leader-elect=false',
    ],
    isThere,
  );
  await start(
    'kwok',
    [
      ['--config', join(folder!, 'kwok-stages.yaml'), '--kubeconfig', kubeconfig, '--manage-all-nodes'],
      ['--node-ip', '127.0.0.1', '--server-address', `127.0.0.1:${kwokPort}`],
    ].flat(),
    isThere,
  );

  const create = async (resource: string, object: KubernetesManifest): Promise<void> => {
    const { apiVersion, metadata } = object;
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    await asker.ask({ method: 'POST', path: `${group}${scope}/${resource}`, body: object });
  };
  const size = { cpu: '32', memory: '128Gi', pods: '1000' };
  await create('nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'simulated' },
    status: { capacity: size, allocatable: size },
  });
  await waitFor('service accounts', () => answers('/api/v1/namespaces/default/serviceaccounts/default'));
  return {
    url,
    caFile,
    ask: (request) => asker.ask(request),
    create,
    tokenOf: async (namespace, serviceAccount) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
      const { status } = await asker.ask<{ status: { token: string } }>({ method: 'POST', path, body });
      return file(`token-${serviceAccount}`, status.token);
    },
    audit: async () => {
      const lines = (await readFile(auditLog, 'utf8')).split('\n').filter((line) => line.endsWith('}'));
      return lines.map((line) => JSON.parse(line) as AuditEvent);
    },
    stop: async () => {
      asker.close();
      for (const server of servers.toReversed()) await server.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** Only what service accounts of the tests ask: the controllers would fill the disk. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived', 'ResponseStarted'],
  rules: [
    { level: 'None', userGroups: ['system:masters'] },
    { level: 'Metadata', userGroups: ['system:serviceaccounts:hearth'] },
    { level: 'None' },
  ],
};

const findPorts = async (count: number): Promise<readonly number[]> => {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
};

/** Whether the server refused that as invalid, and how. */
export const refusalOf = async (asking: Promise<unknown>): Promise<string> => {
  try {
    await asking;
    return 'accepted';
  } catch (error) {
    if (isApiError(error, 422)) return error.message;
    throw error;
  }
};
