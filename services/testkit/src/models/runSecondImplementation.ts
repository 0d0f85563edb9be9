import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { toolPath } from '../run/tools.ts';

/** Runs a job with the second implementation, and returns its output. */
export const runSecondImplementation = async <Result>(job: unknown): Promise<Result> => {
  const script = join(import.meta.dirname, 'secondImplementation.py');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = execFile(toolPath('python-onnxruntime'), [script], { maxBuffer: 256 * 1024 * 1024 }, (error, stdout) =>
    error ? reject(error) : resolve(stdout),
  );
  child.stdin!.end(JSON.stringify(job));
  return JSON.parse(await promise) as Result;
};
