/** Renders a generated page with its title, introduction, generator command and chapters. */
export const page = (
  title: string,
  introduction: readonly string[],
  command: string,
  chapters: readonly string[],
): string =>
  [`# ${title}`, [...introduction, `\`${command}\` writes this page.`].join('\n'), ...chapters].join('\n\n') + '\n';

/**
 * Renders a table in oxfmt's alignment. Cells are safe for MDX: text that could start a tag or an expression is
 * escaped.
 */
export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string => {
  const cells = [header, ...rows.map((row) => row.map(escapeCell))];
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
};

/** Renders a list of names with their descriptions. Text is escaped as in tables. */
export const list = (entries: readonly (readonly [name: string, description: string])[]): string =>
  entries.map(([name, description]) => `- ${escapeCell(name)}: ${escapeCell(description)}`).join('\n');

/** Escapes a cell's text. Code between backticks stays unchanged. */
const escapeCell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[{}<]/g, String.raw`\$&`)))
    .join('')
    .replaceAll('|', String.raw`\|`)
    .trim();
