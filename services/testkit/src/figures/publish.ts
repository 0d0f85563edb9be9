import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFigures } from './figures.ts';

const root = join(import.meta.dirname, '../../../..');
const guide = join(root, 'docs/docs/dev-guide');

/** The page with charts, and the folder of their data. */
const chartPage = 'benchmarks.md';
const figuresFolder = join(guide, 'benchmarks');

/**
 * Prints a table. With `publish`, it also replaces the command's previous table in a page of the guide. Figures of the page
 * with charts are also stored as JSON, for `npm run docs:charts`.
 */
export const publishTable = async (
  command: string,
  table: string,
  { publish, page = chartPage }: { readonly publish: boolean; readonly page?: string },
): Promise<void> => {
  console.log(`\n${table}`);
  if (!publish) return;
  const path = join(guide, page);
  await writeFile(path, replaceSection(await readFile(path, 'utf8'), command, table));
  const written = [path];
  if (page === chartPage) {
    const figures = readFigures(command, table);
    await writeFile(figuresPath(command), JSON.stringify(figures, undefined, 2));
    written.push(figuresPath(command));
  }
  // Aligns the columns of the tables.
  await promisify(execFile)(join(root, 'node_modules/.bin/oxfmt'), written);
};

/** Returns the path of a command's figures. */
export const figuresPath = (command: string): string => join(figuresFolder, `${command.replace('bench:', '')}.json`);

/**
 * Returns the published section of a command in a page.
 * @throws Error if the page has none
 */
export const publishedSection = (text: string, command: string): string => {
  const [begin, end] = getMarkers(command);
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no markers for npm run ${command}`);
  return text.slice(from + begin.length, to);
};

const getMarkers = (command: string): readonly [begin: string, end: string] => [
  `<!-- npm run ${command}: begin -->`,
  `<!-- npm run ${command}: end -->`,
];

/**
 * Replaces the section of a command.
 * @throws Error if the page has none
 */
const replaceSection = (text: string, command: string, table: string): string => {
  const before = publishedSection(text, command);
  const [begin] = getMarkers(command);
  const from = text.indexOf(begin) + begin.length;
  return `${text.slice(0, from)}\n\n${table.trim()}\n\n${text.slice(from + before.length)}`;
};

/** Writes all figures as JSON, with date and machine, if a path is given. */
export const saveFigures = async (path: string | undefined, figures: object): Promise<void> => {
  if (path === undefined) return;
  const report = { date: new Date().toISOString(), machine: describeMachine(), ...figures };
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`);
};

/** Builds a row of a Markdown table. Cells of the second row are `---` or `---:`. */
export const renderRow = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Describes the machine and software, without identifying the owner. */
export const describeMachine = (): string =>
  [describeHardware(), `${platform()} ${arch()}`, `Node ${process.versions.node}`, `sharp ${getVersion('sharp')}`].join(
    ', ',
  );

/** Describes processor and memory. */
export const describeHardware = (): string =>
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown processor'}), ${Math.round(totalmem() / 2 ** 30)} GiB`;

/** Returns the date for tables. */
export const formatToday = (): string => new Date().toISOString().slice(0, 10);

const getVersion = (name: string): string =>
  (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
