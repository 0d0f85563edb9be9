import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const guide = join(root, 'docs/docs/dev-guide');

/** Puts a table into a page of the guide, in place of the one that this command put there before. */
export const publishSection = async (command: string, table: string, pageName = 'benchmarks.md'): Promise<void> => {
  const page = join(guide, pageName);
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), command, table));
  // The columns are aligned as in all our Markdown.
  await promisify(execFile)(join(root, 'node_modules/.bin/oxfmt'), [page]);
};

/** The text with what stands between a command's two marks replaced. @throws where they are not there */
export const replaceSection = (text: string, command: string, table: string): string => {
  const [begin, end] = [`<!-- npm run ${command}: begin -->`, `<!-- npm run ${command}: end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place for npm run ${command}`);
  return `${text.slice(0, from + begin.length)}\n\n${table.trim()}\n\n${text.slice(to)}`;
};
