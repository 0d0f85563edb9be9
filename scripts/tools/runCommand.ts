import { spawn } from 'node:child_process';

export interface CommandOptions {
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program to completion without showing its output.
 * @throws Error with the end of its output if it fails, or "… is not installed"
 */
export const runCommand = async (
  [program = '', ...args]: readonly string[],
  { directory, env = {} }: CommandOptions = {},
): Promise<void> => {
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-1_000)));
  // A signal to this process does not reach the program, which would run on for minutes.
  const killProgram = (): never => {
    child.kill();
    process.exit(143);
  };
  process.once('SIGTERM', killProgram);
  const status = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(`${program} is not installed`) : error),
    );
    child.on('close', (code, signal) => resolve(code ?? signal));
  }).finally(() => process.off('SIGTERM', killProgram));
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''} failed (${status}): ${output.trim()}`);
};
