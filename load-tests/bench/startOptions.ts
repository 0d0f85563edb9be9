import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The variable by which Node is run as `npm start` runs it, also where that is not what starts it. */
export const startOptions = async (more: readonly string[] = []): Promise<{ readonly NODE_OPTIONS: string }> => {
  const packageFile = join(import.meta.dirname, '..', '..', 'package.json');
  const { scripts } = JSON.parse(await readFile(packageFile, 'utf8')) as { scripts: { start: string } };
  const ofStart = scripts.start.split(' ').filter((part) => part.startsWith('--'));
  return { NODE_OPTIONS: [...ofStart, ...more].join(' ') };
};
