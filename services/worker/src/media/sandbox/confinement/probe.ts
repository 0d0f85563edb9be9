import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Box } from './box.ts';

/** Milliseconds for a confined Node to start and end; it takes 60 on a quiet machine. */
const timeout = 30_000;

/**
 * Tests a box by running Node in it. Node has to read the admitted file and to write its own, and to fail at everything else, which
 * includes starting processes where the system call filter is known (`isAlone`). Answers in words, for the log, what went otherwise;
 * undefined where all is well. Removes the box.
 */
export async function explainProbe(
  box: Box,
  { scratchDirectory, isAlone }: { readonly scratchDirectory: string; readonly isAlone: boolean },
): Promise<string | undefined> {
  const secret = join(scratchDirectory, 'confinement-probe');
  await writeFile(secret, 'probe', { mode: 0o600 });
  try {
    const admitted = await box.admit(secret);
    const asked = [admitted, box.place('made'), secret, isAlone ? 'alone' : ''];
    const [file, ...args] = box.confine([process.execPath, '-e', program, ...asked]);
    const { stdout } = await promisify(execFile)(file, args, { env: {}, timeout });
    return stdout.trim() || undefined;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    return stderr?.trim().split('\n')[0] || String(error);
  } finally {
    await box.remove();
  }
}

const program = `
const fs = require('node:fs');
const [admitted, made, secret, isAlone] = process.argv.slice(1);
const can = (act) => { try { act(); return true; } catch { return false; } };
const say = (text) => console.log(text);
if (!can(() => fs.readFileSync(admitted))) say('cannot read its box');
else if (!can(() => fs.writeFileSync(made, ''))) say('cannot write into its box');
else if (can(() => fs.writeFileSync(made + '2', '')) || can(() => fs.unlinkSync(made))) say('can write more than one file');
else if (can(() => fs.readFileSync(secret))) say('can read the data folder');
else if (can(() => fs.appendFileSync(admitted, ''))) say('can change originals');
else if (isAlone && !require('node:child_process').spawnSync(process.execPath, ['-v'], { stdio: 'ignore' }).error) say('can start processes');
`;
