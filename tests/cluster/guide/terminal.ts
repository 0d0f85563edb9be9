import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithThisProcess } from '../cluster.ts';

/** A terminal in which commands go on until somebody ends them. */
export interface Terminal {
  output(): string;
  /** Resolves once a text was printed. @throws where the commands end before */
  untilPrinted(text: string | RegExp): Promise<void>;
  /** As `Ctrl-C` does it. */
  end(): Promise<void>;
}

/** Runs commands in a bash of their own, in a process group of their own. */
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
