import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import type { List } from '../../api/objects.ts';
import { openApiClient, type Stored } from '../apiClient.ts';
import { namespace } from './manifests.ts';

/** Access to the cluster of KUBECONFIG through kubectl. */
export interface Kubernetes {
  /** @throws Error with kubectl's output */
  kubectl(args: readonly string[], input?: object): Promise<string>;
  get<Result>(path: string): Promise<Result>;
  findDeployment(name: string): Promise<Stored<V1Deployment>>;
  listPods(app: string): Promise<readonly Stored<V1Pod>[]>;
  /** Forwards a local port to a Service and returns the port. */
  forward(service: string, port: number): Promise<number>;
  close(): void;
}

export const openKubernetes = async (): Promise<Kubernetes> => {
  const children: ChildProcess[] = [];
  /** Starts kubectl and resolves with the port in the first line of its output. */
  const startKubectl = async (args: readonly string[]): Promise<number> => {
    const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
  };
  const port = await startKubectl(['proxy', '--port=0', '--address=127.0.0.1']);
  const url = `http://127.0.0.1:${port}`;
  const client = openApiClient(url);
  const get = <Result>(path: string): Promise<Result> => client.request({ method: 'GET', path });
  return {
    kubectl: async (args, input) => {
      const running = promisify(execFile)('kubectl', ['--namespace', namespace, ...args], { maxBuffer: 2 ** 26 });
      running.child.stdin?.end(input === undefined ? undefined : JSON.stringify(input));
      return (await running).stdout;
    },
    get,
    findDeployment: (name) => get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`),
    listPods: async (app) =>
      (
        await get<List<Stored<V1Pod>>>(
          `/api/v1/namespaces/${namespace}/pods?labelSelector=app.kubernetes.io/name=${app}`,
        )
      ).items,
    forward: (service, to) => startKubectl(['--namespace', namespace, 'port-forward', `service/${service}`, `:${to}`]),
    close: () => {
      client.close();
      for (const child of children) child.kill();
    },
  };
};
