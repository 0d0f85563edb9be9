import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A shell that runs blocks of commands one after another and keeps variables. */
export interface Shell {
  /**
   * Runs commands and returns their output.
   * @throws Error with all output if a command fails
   */
  run(commands: string): Promise<string>;
  end(): Promise<void>;
}

/** Differences from a reader's shell: an error response fails curl, and npm runs in the checkout. */
const prelude = `set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
npm() { command npm --silent --prefix "$CHECKOUT" "$@"; }
`;

/** Starts bash in a folder. It ends with this process. */
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
      const endMarker = `end of block ${count}`;
      writeFileSync(file, commands);
      output = '';
      // Keeps programs from reading the following blocks as input.
      child.stdin.write(`source '${file}' </dev/null\necho '${endMarker}'\n`);
      let hasEnded = false;
      void ended.then(() => (hasEnded = true));
      while (!output.includes(endMarker)) {
        if (hasEnded) throw new Error(`${commands}\nfailed with output:\n${output}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
      return output.replace(`${endMarker}\n`, '');
    },
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
