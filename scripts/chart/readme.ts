import { join } from 'node:path';
import { table } from '../reference/markdown.ts';
import { listValues, type ValueRow } from './valuesTable.ts';

/** The folder of the chart, within the repository. */
export const chartFolder = 'charts/hearth';

const chart = join(import.meta.dirname, '../..', chartFolder);
export const readmePath = join(chart, 'README.md');
export const upgradePath = join(chart, 'UPGRADE.md');
export const valuesPath = join(chart, 'values.yaml');

const begin = '<!-- npm run docs:chart: begin -->';
const end = '<!-- npm run docs:chart: end -->';

/** The README with the tables of values between its marks. @throws Error where the marks are missing */
export const renderReadme = (readme: string, values: string): string => {
  const [before, rest = ''] = readme.split(begin);
  const after = rest.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${begin} and ${end}`);
  return `${before}${begin}\n\n${renderValues(values)}\n\n${end}${after}`;
};

/** A chapter of level 3 for each key at the top of values.yaml, with the table of what is below it. */
export const renderValues = (values: string): string =>
  listValues(values)
    .map(({ name, description, rows }) => `### ${name}\n\n${description}\n\n${renderTable(rows)}`)
    .join('\n\n');

const renderTable = (rows: readonly ValueRow[]): string =>
  table(
    ['value', 'default', 'what it is'],
    rows.map((row) => [`\`${row.path}\``, row.default === undefined ? '' : `\`${row.default}\``, row.description]),
  );
