import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { missingTool, toolPath } from '@hearth/testkit/run/tools.ts';

/** The cluster of KUBECONFIG, accessed with kubectl and helm. */
export interface Cluster {
  /** Local address of `kubectl proxy`. */
  readonly url: string;
  /** @throws Error with kubectl's output */
  kubectl(args: readonly string[], input?: object): Promise<string>;
  /** @throws Error with helm's output */
  helm(args: readonly string[]): Promise<string>;
  /** Sends a GET request to the API server. @throws Error with the response unless it is successful */
  get<Answer>(path: string): Promise<Answer>;
  /** Passes every event of a watch to `take` until `signal` is aborted. Restarts the watch when it ends. */
  watch(path: string, take: (event: unknown) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Skip reason for `suite(name, { skip: missingCluster }, …)`, or false if a cluster is available. */
export const missingCluster = ((): string | false => {
  if (!process.env['KUBECONFIG']) return 'KUBECONFIG is not set: see docs/docs/dev-guide/cluster-tests.md';
  try {
    execFileSync('kubectl', ['get', '--raw', '/readyz', '--request-timeout=10s'], { stdio: 'pipe' });
  } catch (error) {
    return `the cluster of KUBECONFIG is unreachable: ${(error as Error).message.trim()}`;
  }
  return missingTool('helm');
})();

/** Pause before a watch restarts, in ms. */
const pauseMs = 200;

export const openCluster = async (): Promise<Cluster> => {
  const proxy = spawn('kubectl', ['proxy', '--port=0', '--address=127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killOnExit(proxy);
  const [line] = (await once(createInterface({ input: proxy.stdout }), 'line')) as [string];
  // Without this, a test that fails before it closes the cluster would not exit.
  proxy.stdout.destroy();
  proxy.unref();
  const url = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(line)?.[1]}`;
  return {
    url,
    kubectl: (args, input) => run('kubectl', args, input),
    helm: (args) => run(toolPath('helm'), args),
    get: async <Answer>(path: string) => {
      const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(30_000) });
      if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Answer;
    },
    watch: async (path, take, signal) => {
      while (!signal.aborted) {
        const response = await fetch(new URL(path, url), { signal }).catch(() => undefined);
        await readLines(response, take).catch(() => undefined);
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
    close: () => void proxy.kill(),
  };
};

/** Runs a program with JSON on stdin and returns its output. */
const run = async (program: string, args: readonly string[], input?: object): Promise<string> => {
  const running = promisify(execFile)(program, args, { maxBuffer: 2 ** 26 });
  running.child.stdin?.end(input === undefined ? undefined : JSON.stringify(input));
  return (await running).stdout;
};

/** Kills a child process that is still running when this process exits. */
export const killOnExit = (child: ChildProcess): void => {
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
};

const readLines = async (response: Response | undefined, take: (event: unknown) => void): Promise<void> => {
  let rest = '';
  for await (const text of response?.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line));
  }
};
