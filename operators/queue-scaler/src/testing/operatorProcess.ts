import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitFor } from './waitFor.ts';

/** The real operator, in a process of its own. */
export interface OperatorProcess {
  readonly pid: number;
  /** Of its metrics and probes. */
  readonly url: string;
  /** What it logged. */
  readonly lines: readonly LogLine[];
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when it has ended, with its exit code or the signal that ended it. */
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

/** What Node is to run before the operator, for a clock that each SIGUSR2 sets back by an hour. */
export const settableClock = [
  '--import',
  'data:text/javascript,const now=Date.now;let shift=0;process.on("SIGUSR2",()=>{shift-=36e5});Date.now=()=>now()+shift',
];

/** Starts the operator and resolves when it serves its probes. It ends with the test's process at the latest. */
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
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: LogLine[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as LogLine));
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  children.add(child.once('exit', () => children.delete(child)));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  await waitFor('the operator serves', () => lines.some(({ msg }) => msg === 'started') || !isRunning());
  const url = `http://127.0.0.1:${lines.find(({ msg }) => msg === 'started')?.port}`;
  return {
    pid: child.pid ?? 0,
    url,
    lines,
    isRunning,
    signal: (signal) => void child.kill(signal),
    ended: async () => {
      const [code, signal] = await exit;
      return code ?? signal ?? -1;
    },
    get: async (path) => {
      const response = await fetch(url + path);
      return { status: response.status, text: await response.text() };
    },
  };
};
