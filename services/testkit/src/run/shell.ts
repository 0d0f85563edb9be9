import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shell in which one block of commands runs after another, and variables stay. */
export interface Shell {
  /** Runs commands, of which each has to succeed. @throws where one does not, with what all of them printed */
  run(commands: string): Promise<string>;
  end(): Promise<void>;
}

/** Beside what a reader has: an answer of curl that tells of an error is a failure, and npm runs in the checkout. */
const prelude = `set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
npm() { command npm --silent --prefix "$CHECKOUT" "$@"; }
`;

/** Starts a bash in a folder. It ends with this process. */
export const openShell = (folder: string, env: NodeJS.ProcessEnv): Shell => {
  const child = spawn('bash', [], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.write(prelude);
  let count = 0;
  return {
    run: async (commands) => {
      const file = join(folder, `.block-${(count += 1)}`);
      const mark = `the end of block ${count}`;
      writeFileSync(file, commands);
      output = '';
      // A program that reads its input shall not read the blocks behind.
      child.stdin.write(`source '${file}' </dev/null\necho '${mark}'\n`);
      let isOver = false;
      void ended.then(() => (isOver = true));
      while (!output.includes(mark)) {
        if (isOver) throw new Error(`${commands}\nfailed, and printed:\n${output}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
      return output.replace(`${mark}\n`, '');
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
