import { join } from 'node:path';
import { listValues, type ValueRow } from './valuesTable.ts';

const chart = join(import.meta.dirname, '../../charts/hearth');
export const readmePath = join(chart, 'README.md');
export const valuesPath = join(chart, 'values.yaml');

const begin = '<!-- npm run docs:chart: begin -->';
const end = '<!-- npm run docs:chart: end -->';

/** The README with the tables of values between its marks. @throws Error where the marks are missing */
export const renderReadme = (readme: string, values: string): string => {
  const [before, rest = ''] = readme.split(begin);
  const after = rest.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${begin} and ${end}`);
  const sections = listValues(values).map(
    ({ name, description, rows }) => `### ${name}\n\n${description}\n\n${renderTable(rows)}`,
  );
  return `${before}${begin}\n\n${sections.join('\n\n')}\n\n${end}${after}`;
};

/** Columns are as wide as their longest cell, as the formatter wants them. */
const renderTable = (rows: readonly ValueRow[]): string => {
  const cells = [
    ['value', 'default', ''],
    ...rows.map((row) => [
      `\`${row.path}\``,
      row.default === undefined ? '' : `\`${row.default}\``,
      row.description.replaceAll('|', '\\|'),
    ]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell + ' '.repeat(widths[column]! - cell.length)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)].join('\n');
};
