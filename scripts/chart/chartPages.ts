import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { toolPath } from '@hearth/testkit/run/tools.ts';

const root = join(import.meta.dirname, '../..');
const chart = 'charts/hearth';
const guide = 'docs/docs/user-guide/reference';

/** Everything above this line in README.md is written by hand. */
const mark = '<!-- npm run docs:chart writes what follows -->';

/** Chapters of README.md and UPGRADE.md that the page of the user guide includes, in this order. */
const chapters = [
  ['README.md', 'Installed objects'],
  ['README.md', 'Secrets'],
  ['README.md', 'Access from outside'],
  ['README.md', 'Uninstall'],
  ['UPGRADE.md', 'Fields that upgrades cannot change'],
  ['UPGRADE.md', 'Versions'],
  ['README.md', 'Values'],
] as const;

/**
 * Renders the pages that list the chart's values, by path in the repository.
 * @throws Error if a value has no comment or a chapter is missing
 */
export const renderChartPages = (): ReadonlyMap<string, string> => {
  const values = renderValues(join(root, chart));
  const readme = readFileSync(join(root, chart, 'README.md'), 'utf8');
  const page = [
    '# The chart and its values',
    'The objects and values of the chart, proxy settings, and removal. [Deployment](../deployment.md) has an installation step by step.\n`npm run docs:chart` writes this page.',
    ...chapters.map(([file, title]) => readChapter(readFileSync(join(root, chart, file), 'utf8'), title)),
  ];
  return new Map(
    [
      [`${chart}/README.md`, `${readme.split(mark)[0]}${mark}\n\n${values}`] as const,
      [`${guide}/values.md`, `${page.join('\n\n')}\n\n${values}`] as const,
    ].map(([path, text]) => [path, format(path, text)]),
  );
};

/** Renders the tables of values with helm-docs. @throws Error if a value has no comment */
export const renderValues = (folder: string): string => {
  const template = join(import.meta.dirname, 'values.gotmpl');
  const args = ['--dry-run', '--log-level=warning', '--sort-values-order=file', `--template-files=${template}`];
  const { stdout, stderr } = spawnSync(toolPath('helm-docs'), args, { cwd: folder, encoding: 'utf8' });
  // On errors helm-docs exits with 0 and prints incomplete tables.
  if (stderr !== '') throw new Error(`helm-docs failed: ${stderr}`);
  return stdout.trim();
};

/**
 * Returns a level-2 chapter with its heading, up to the next one or the mark. Links are made relative to the user
 * guide.
 */
const readChapter = (text: string, title: string): string => {
  const [, chapter] = text.split(`\n## ${title}\n`);
  if (chapter === undefined) throw new Error(`no chapter “${title}” in the README of the chart`);
  const [body = ''] = chapter.split(/\n## |<!--/);
  const forGuide = body.replaceAll(
    /\]\((?!https?:|#)([^)]+)\)/g,
    (_, path: string) => `](${posix.relative(guide, posix.join(chart, path))})`,
  );
  return `## ${title}\n${forGuide.trimEnd()}`;
};

const format = (path: string, text: string): string =>
  execFileSync(join(root, 'node_modules/.bin/oxfmt'), [`--stdin-filepath=${path}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
