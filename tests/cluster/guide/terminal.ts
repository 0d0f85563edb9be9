import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithThisProcess } from '../cluster.ts';

/** A terminal with a long-running command. */
export interface Terminal {
  output(): string;
  /** Resolves once `text` was printed. @throws if the command exits before */
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
  endWithThisProcess(child);
  const ended = once(child, 'close');
  let output = '';
  let isOver = false;
  let changed = Promise.withResolvers<void>();
  const tell = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  child.once('close', () => {
    isOver = true;
    tell();
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      tell();
    });
  const hasPrinted = (text: string | RegExp): boolean =>
    typeof text === 'string' ? output.includes(text) : text.test(output);
  return {
    output: () => output,
    untilPrinted: async (text) => {
      while (!hasPrinted(text)) {
        if (isOver) throw new Error(`${commands}\nended before it printed ${text}:\n${output}`);
        await changed.promise;
      }
    },
    end: async () => {
      if (!isOver) process.kill(-child.pid!, 'SIGINT');
      await ended;
    },
  };
};
