import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killOnExit } from '../cluster.ts';

/** A terminal with a long-running command. */
export interface Terminal {
  output(): string;
  /** Resolves once `text` was printed. @throws if the command exits before that */
  untilPrinted(text: string | RegExp): Promise<void>;
  /** Sends Ctrl-C. */
  end(): Promise<void>;
}

/** Runs commands in a separate bash and process group. */
export const openTerminal = (commands: string, folder: string, env: NodeJS.ProcessEnv): Terminal => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killOnExit(child);
  const ended = once(child, 'close');
  let output = '';
  let isOver = false;
  let outputChanged = Promise.withResolvers<void>();
  const notify = (): void => {
    outputChanged.resolve();
    outputChanged = Promise.withResolvers();
  };
  child.once('close', () => {
    isOver = true;
    notify();
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      notify();
    });
  const hasPrinted = (text: string | RegExp): boolean =>
    typeof text === 'string' ? output.includes(text) : text.test(output);
  return {
    output: () => output,
    untilPrinted: async (text) => {
      while (!hasPrinted(text)) {
        if (isOver) throw new Error(`${commands}\nexited before printing ${text}:\n${output}`);
        await outputChanged.promise;
      }
    },
    end: async () => {
      if (!isOver) process.kill(-child.pid!, 'SIGINT');
      await ended;
    },
  };
};
