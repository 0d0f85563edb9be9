import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from './sandbox.ts';

/** Timeout for a confined Node to start and end, in ms. It takes 60 ms on an idle machine. */
const probeTimeoutMs = 30_000;

/**
 * Tests a sandbox by running Node in it. Node must be able to read the input file and write the output file, and nothing else. With a system call
 * filter (`deniesProcesses`), it must not be able to start processes. Returns the problem in words, for the log, or undefined. Removes the sandbox.
 */
export async function explainProbe(
  sandbox: Sandbox,
  { scratchDirectory, deniesProcesses }: { readonly scratchDirectory: string; readonly deniesProcesses: boolean },
): Promise<string | undefined> {
  const secret = join(scratchDirectory, 'confinement-probe');
  await writeFile(secret, 'probe', { mode: 0o600 });
  try {
    const admitted = await sandbox.addFile(secret);
    const requests = [admitted, sandbox.getOutputPath('made'), secret, deniesProcesses ? 'deniesProcesses' : ''];
    const [file, ...args] = sandbox.confine([process.execPath, '-e', program, ...requests]);
    const { stdout } = await promisify(execFile)(file, args, { env: {}, timeout: probeTimeoutMs });
    return stdout.trim() || undefined;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    return stderr?.trim().split('\n')[0] || String(error);
  } finally {
    await sandbox.remove();
  }
}

const program = `
const fs = require('node:fs');
const [admitted, made, secret, deniesProcesses] = process.argv.slice(1);
const can = (act) => { try { act(); return true; } catch { return false; } };
const say = (text) => console.log(text);
if (!can(() => fs.readFileSync(admitted))) say('cannot read its sandbox');
else if (!can(() => fs.writeFileSync(made, ''))) say('cannot write into its sandbox');
else if (can(() => fs.writeFileSync(made + '2', '')) || can(() => fs.unlinkSync(made))) say('can write more than one file');
else if (can(() => fs.readFileSync(secret))) say('can read the data folder');
else if (can(() => fs.appendFileSync(admitted, ''))) say('can change originals');
else if (deniesProcesses && !require('node:child_process').spawnSync(process.execPath, ['-v'], { stdio: 'ignore' }).error) say('can start processes');
`;
