/** A chart of the benchmarks page: its figures and labels. */
export interface Chart {
  /** Part of its file names. */
  readonly name: string;
  readonly command: string;
  /** Index of the command's table; 0 unless given. */
  readonly table?: number;
  readonly title: string;
  /** The label of the axis, with the unit. */
  readonly axis: string;
  /** Figures with another unit are left out. */
  readonly unit: string;
  /** The drawn columns, with their labels. */
  readonly columns: Readonly<Record<string, string>>;
  /** Rows that are left out. */
  readonly without?: RegExp;
  /** Bars next to each other, or for many rows one line with a dot per column. */
  readonly kind: 'bars' | 'dots';
  /** The column of bounds, drawn as marks. */
  readonly bound?: string;
}

/** All charts in the order of the page. */
export const charts: readonly Chart[] = [
  {
    name: 'ingest',
    command: 'bench:ingest',
    table: 1,
    title: 'CPU time per imported photo, by process',
    axis: 'milliseconds of CPU per photo',
    unit: 'ms',
    columns: { 'embedded: CPU': 'one machine', 'cluster: CPU': 'cluster' },
    without: /not counted/,
    kind: 'bars',
  },
  {
    name: 'start',
    command: 'bench:start',
    title: 'Start duration',
    axis: 'seconds',
    unit: 's',
    columns: {
      'bare Express': 'bare Express',
      API: 'the API',
      '`npm start` on existing data': 'npm start',
    },
    kind: 'bars',
    bound: 'target',
  },
  {
    name: 'reads',
    command: 'bench:reads',
    title: 'Cost of reads by library size',
    axis: 'multiple of GET /version',
    unit: '×',
    columns: { '10,000': '10,000 items', '100,000': '100,000 items', '1,000,000': '1,000,000 items' },
    kind: 'dots',
    bound: 'target',
  },
  {
    name: 'timeline',
    command: 'bench:web',
    title: 'Waiting times of the timeline',
    axis: 'milliseconds, with 4× CPU throttling',
    unit: 'ms',
    columns: { '10,000 items': '10,000 items', '1,000,000 items': '1,000,000 items' },
    kind: 'bars',
    bound: 'target',
  },
  {
    name: 'people',
    command: 'bench:people',
    title: 'Assigning a face to a person among 100,000 faces',
    axis: 'milliseconds',
    unit: 'ms',
    columns: { median: 'median', '95 %': '95 of 100' },
    without: /first|photos/,
    kind: 'bars',
    bound: 'target',
  },
];
