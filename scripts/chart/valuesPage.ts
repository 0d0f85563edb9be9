import { join, posix } from 'node:path';
import { page } from '../reference/markdown.ts';
import { chartFolder, renderValues } from './readme.ts';

const folder = 'docs/docs/user-guide/reference';

export const valuesPagePath = join(import.meta.dirname, '../..', folder, 'values.md');

/** The chapters that the page takes from README.md and from UPGRADE.md of the chart, in its order. */
const taken = {
  readme: ['What is installed', 'Secrets', 'The way in', 'Removing it'],
  upgrade: ['What cannot be changed by an upgrade', 'Versions'],
} as const;

/** What the pages of the chart say, for the user guide, where they are found by its search. */
export interface ChartPages {
  /** The text of README.md. */
  readonly readme: string;
  /** The text of UPGRADE.md. */
  readonly upgrade: string;
  /** The text of values.yaml. */
  readonly values: string;
}

/** The page of the user guide on the chart and its values. @throws Error that names a chapter which is missing */
export const renderValuesPage = ({ readme, upgrade, values }: ChartPages): string => {
  const chapters = [
    ...taken.readme.map((title) => chapterOf(readme, title)),
    ...taken.upgrade.map((title) => chapterOf(upgrade, title)),
  ];
  return page(
    'The chart and its values',
    [
      'What the chart installs, what a proxy in front of it has to let through, how it is removed, and every value. [Deployment](../deployment.md) goes through an installation step by step.',
    ],
    'npm run docs:chart',
    [...chapters.map(forGuide), `${chapterOf(readme, 'Values', '<!--')}\n\n${renderValues(values)}`],
  );
};

/** A chapter of level 2 with its heading, up to the next one or to a mark in it. */
const chapterOf = (text: string, title: string, before = '\n## '): string => {
  const begin = text.indexOf(`\n## ${title}\n`);
  if (begin === -1) throw new Error(`the chart has no chapter “${title}”`);
  const [chapter = ''] = text.slice(begin + 1).split(before);
  return chapter.trim();
};

/** A chapter as it stands in the user guide: links lead from there. */
const forGuide = (chapter: string): string =>
  chapter.replaceAll(
    /\]\((?!https?:|#)([^)]+)\)/g,
    (_, path: string) => `](${posix.relative(folder, posix.join(chartFolder, path))})`,
  );
