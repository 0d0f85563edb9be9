import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFigures } from './figures.ts';

const root = join(import.meta.dirname, '../../../..');
const guide = join(root, 'docs/docs/dev-guide');

/** The page with charts, and the folder of the figures that they are drawn of. */
const chartedPage = 'benchmarks.md';
const figuresFolder = join(guide, 'benchmarks');

/**
 * Prints a table and, where it was asked for, puts it into a page of the guide, in place of the one that this command put there before. The figures of the
 * page with charts are kept as JSON too: `npm run docs:charts` draws them.
 */
export const publishTable = async (
  command: string,
  table: string,
  { publish, page = chartedPage }: { readonly publish: boolean; readonly page?: string },
): Promise<void> => {
  console.log(`\n${table}`);
  if (!publish) return;
  const path = join(guide, page);
  await writeFile(path, replaceSection(await readFile(path, 'utf8'), command, table));
  const written = [path];
  if (page === chartedPage) {
    const figures = readFigures(command, table);
    await writeFile(figuresPath(command), JSON.stringify(figures, undefined, 2));
    written.push(figuresPath(command));
  }
  // The columns are aligned as in all our Markdown.
  await promisify(execFile)(join(root, 'node_modules/.bin/oxfmt'), written);
};

/** Where the figures of a command are kept. */
export const figuresPath = (command: string): string => join(figuresFolder, `${command.replace('bench:', '')}.json`);

/** What a command has published on a page. @throws where the page has no place for it */
export const publishedSection = (text: string, command: string): string => {
  const [begin, end] = marksOf(command);
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place for npm run ${command}`);
  return text.slice(from + begin.length, to);
};

const marksOf = (command: string): readonly [begin: string, end: string] => [
  `<!-- npm run ${command}: begin -->`,
  `<!-- npm run ${command}: end -->`,
];

/** The text with what stands between a command's two marks replaced. @throws where they are not there */
const replaceSection = (text: string, command: string, table: string): string => {
  const before = publishedSection(text, command);
  const [begin] = marksOf(command);
  const from = text.indexOf(begin) + begin.length;
  return `${text.slice(0, from)}\n\n${table.trim()}\n\n${text.slice(from + before.length)}`;
};

/** Keeps all figures as JSON, with the day and the machine, where a path for them was given. */
export const keepFigures = async (path: string | undefined, figures: object): Promise<void> => {
  if (path === undefined) return;
  const report = { date: new Date().toISOString(), machine: describeMachine(), ...figures };
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`);
};

/** A row of Markdown; the cells of the second one of a table are `---` or `---:`. */
export const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The machine and what ran on it, in words that say nothing of whose machine it is. */
export const describeMachine = (): string =>
  [describeHardware(), `${platform()} ${arch()}`, `Node ${process.versions.node}`, `sharp ${versionOf('sharp')}`].join(
    ', ',
  );

/** The processor and the memory. */
export const describeHardware = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown processor'}), ${Math.round(totalmem() / 2 ** 30)} GiB`;

/** The day, as tables carry it. */
export const today = (): string => new Date().toISOString().slice(0, 10);

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
