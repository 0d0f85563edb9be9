import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs a script as a pod of the chart does: by path, with only these environment variables. Returns its exit code and
 * output.
 */
export const runScript = async (
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<readonly [code: number, output: string]> => {
  const child = spawn(process.execPath, [path], { env });
  const [output, [code]] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return [code, output.join('')];
};
