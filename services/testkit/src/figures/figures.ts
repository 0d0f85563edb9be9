/** A number of a published table, with its unit, and `≤` or `≥` before a limit. */
export interface Figure {
  readonly sign?: '≤' | '≥';
  readonly value: number;
  readonly unit: string;
}

/** A published table. Each row has a label, and a figure or null per column. */
export interface FigureTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: string; readonly cells: readonly (Figure | null)[] }[];
}

/** Published result of a benchmark: date and machine as text, and its tables as numbers. */
export interface PublishedFigures {
  readonly command: string;
  readonly measured: string;
  readonly tables: readonly FigureTable[];
}

/** Reads the figures of a benchmark's section in a page. Only the first number of a cell counts. */
export const readFigures = (command: string, text: string): PublishedFigures => {
  const blocks = text.trim().split(/\n\n+/);
  const tables = blocks.filter((block) => block.startsWith('|'));
  const measured = blocks.find((block) => /\d{4}-\d\d-\d\d/.test(block) && !block.startsWith('|')) ?? '';
  return { command, measured: measured.replaceAll('\n', ' '), tables: tables.map(readTable) };
};

const readTable = (table: string): FigureTable => {
  const [header = [], , ...rows] = table.split('\n').map(splitCells);
  return {
    columns: header.slice(1),
    rows: rows.map(([label = '', ...cells]) => ({ label, cells: cells.map(readFigure) })),
  };
};

const splitCells = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const readFigure = (cell: string): Figure | null => {
  const [, sign, number, unit = ''] =
    /^(?:([≤≥]) )?(\d[\d,]*(?:\.\d+)?)(?:–[\d.]+)? ?([^\d\s,(][^\s,]*)?/.exec(cell.replaceAll('`', '')) ?? [];
  if (number === undefined) return null;
  return { ...(sign !== undefined && { sign: sign as '≤' | '≥' }), value: Number(number.replaceAll(',', '')), unit };
};
