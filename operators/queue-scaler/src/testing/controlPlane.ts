import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startSupervisedServer, type SupervisedServer } from '@hearth/testkit/servers/supervisedServer.ts';
import { isApiError } from '../cluster/apiError.ts';
import { openApiClient, type ApiRequest } from './apiClient.ts';
import { makeArguments, programPath } from './controlPlanePrograms.ts';
import { waitFor } from './waitFor.ts';

/** A real API server with real controllers and one simulated node, on 127.0.0.1. */
export interface ControlPlane {
  readonly url: string;
  readonly caFile: string;
  /** Kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** Sends a request as administrator. */
  request<Result>(request: ApiRequest): Promise<Result>;
  /** Creates an object. `resource` is the plural of its kind. */
  create(resource: string, object: KubernetesManifest): Promise<void>;
  /** Returns the path of a file with a token of the service account. */
  makeToken(namespace: string, serviceAccount: string): Promise<string>;
  /** Returns the audit log so far. */
  audit(): Promise<readonly AuditEvent[]>;
  stop(): Promise<void>;
}

export interface KubernetesManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
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

const adminToken = 'admin-for-tests';

export const startControlPlane = async (): Promise<ControlPlane> => {
  const home = await mkdtemp(join(tmpdir(), 'hearth-test-control-plane-'));
  const writeHomeFile = async (name: string, content: string | object): Promise<string> => {
    const path = join(home, name);
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const [etcd, peer, api, manager, scheduler, kwok] = (await findPorts(6)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const url = `https://127.0.0.1:${api}`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const signingKey = await writeHomeFile(
    'service-account.key',
    privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  );
  const publicKeyFile = await writeHomeFile(
    'service-account.pub',
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  const kubeconfig = await writeHomeFile('kubeconfig', {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: adminToken } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  });
  const auditLog = join(home, 'audit.log');
  const caFile = join(home, 'certificates', 'apiserver.crt');
  const client = openApiClient(url, { caFile, token: adminToken });
  const isAvailable = async (path: string): Promise<boolean> => {
    try {
      await client.request({ method: 'GET', path });
      return true;
    } catch (error) {
      // The response of /readyz is `ok`, which is not JSON.
      return error instanceof SyntaxError;
    }
  };
  const programs = makeArguments({
    home,
    ports: { etcd, peer, api, manager, scheduler, kwok },
    kubeconfig,
    tokens: await writeHomeFile('tokens.csv', `${adminToken},admin,1,system:masters\n`),
    signingKey,
    publicKey: publicKeyFile,
    auditLog,
    auditPolicy: await writeHomeFile('audit.json', auditPolicy),
  });
  const servers: SupervisedServer[] = [];
  for (const [name, args] of Object.entries(programs) as [keyof typeof programs, readonly string[]][]) {
    servers.push(
      await startSupervisedServer({
        program: programPath(name),
        args,
        directory: await mkdtemp(join(home, `${name}-`)),
        output: join(home, `${name}.log`),
        // Only the API server must be ready. The other programs wait for it.
        isReady: async () => name !== 'kube-apiserver' || isAvailable('/readyz'),
      }),
    );
  }

  const create = async (resource: string, object: KubernetesManifest): Promise<void> => {
    const { apiVersion, metadata } = object;
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    await client.request({ method: 'POST', path: `${group}${scope}/${resource}`, body: object });
  };
  const size = { cpu: '32', memory: '128Gi', pods: '1000' };
  await create('nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'simulated' },
    status: { capacity: size, allocatable: size },
  });
  await waitFor('service accounts', () => isAvailable('/api/v1/namespaces/default/serviceaccounts/default'));
  return {
    url,
    caFile,
    kubeconfig,
    request: (request) => client.request(request),
    create,
    makeToken: async (namespace, serviceAccount) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`;
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
      const { status } = await client.request<{ status: { token: string } }>({ method: 'POST', path, body });
      return writeHomeFile(`token-${serviceAccount}`, status.token);
    },
    audit: async () => {
      const lines = (await readFile(auditLog, 'utf8')).split('\n').filter((line) => line.endsWith('}'));
      return lines.map((line) => JSON.parse(line) as AuditEvent);
    },
    stop: async () => {
      client.close();
      for (const server of servers.toReversed()) await server.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** Logs only the requests of the tests' service accounts. The controllers' requests would fill the disk. */
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

/** Returns the server's message if it rejects an object as invalid, or `accepted`. */
export const getRejection = async (creation: Promise<unknown>): Promise<string> => {
  try {
    await creation;
    return 'accepted';
  } catch (error) {
    if (isApiError(error, 422)) return error.message;
    throw error;
  }
};
