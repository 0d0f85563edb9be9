import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@hearth/core/config/compileCache.ts';
import { waitFor } from './waitFor.ts';

/** The real operator in a child process. */
export interface OperatorProcess {
  readonly pid: number;
  /** Base URL of its metrics and probes. */
  readonly url: string;
  /** Log lines so far. */
  readonly lines: readonly LogLine[];
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Resolves with the exit code or signal when the process has exited. */
  ended(): Promise<number | string>;
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly port?: number;
  readonly err?: { readonly message: string };
  readonly [key: string]: unknown;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Node arguments that make each SIGUSR2 set the process's wall clock back by an hour. */
export const settableClock = [
  '--import',
  'data:text/javascript,const now=Date.now;let shift=0;process.on("SIGUSR2",()=>{shift-=36e5});Date.now=()=>now()+shift',
];

/** Starts the operator and resolves when it serves its probes. The operator is killed when the test process exits. */
export const startOperator = async (
  env: Readonly<Record<string, string>>,
  nodeArguments: readonly string[] = [],
): Promise<OperatorProcess> => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--max-semi-space-size=2', '--optimize-for-size', ...nodeArguments, main], {
    env: {
      HEARTH_NAMESPACE: 'test',
      HEARTH_METRICS_PORT: '0',
      HEARTH_LOG_LEVEL: 'debug',
      MALLOC_ARENA_MAX: '2',
      ...compileCache,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: LogLine[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as LogLine));
  children.add(child.once('exit', () => children.delete(child)));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  await waitFor('the start of the operator', () => lines.some(({ msg }) => msg === 'started') || !isRunning());
  const url = `http://127.0.0.1:${lines.find(({ msg }) => msg === 'started')?.port}`;
  return {
    pid: child.pid ?? 0,
    url,
    lines,
    isRunning,
    signal: (signal) => void child.kill(signal),
    ended: async () => {
      await waitFor('the end of the operator', () => !isRunning());
      return child.exitCode ?? child.signalCode ?? -1;
    },
    get: async (path) => {
      const response = await fetch(url + path);
      return { status: response.status, text: await response.text() };
    },
  };
};
