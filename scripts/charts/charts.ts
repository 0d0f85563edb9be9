/** A chart of the page of benchmarks: which figures it is drawn of, and what stands on it. */
export interface Chart {
  /** Of its files, and the end of the address that the page names. */
  readonly name: string;
  readonly command: string;
  /** Which of the command's tables, from 0. */
  readonly table?: number;
  readonly title: string;
  /** What the numbers are, with their unit. */
  readonly axis: string;
  /** The unit of the figures; others are left out. */
  readonly unit: string;
  /** The columns that are drawn, by their names, with what each is called on the chart. */
  readonly columns: Readonly<Record<string, string>>;
  /** Rows that are left out. */
  readonly without?: RegExp;
  /** Bars beside each other, or a dot for each column on one line: of many rows. */
  readonly kind: 'bars' | 'dots';
  /** The column of bounds, each of which is a mark on its row. */
  readonly bound?: string;
}

/** Every chart, in the order of the page. */
export const charts: readonly Chart[] = [
  {
    name: 'ingest',
    command: 'bench:ingest',
    table: 1,
    title: 'What an import of a photo takes, by process',
    axis: 'milliseconds of processor for each photo',
    unit: 'ms',
    columns: { 'embedded: CPU': 'one machine', 'cluster: CPU': 'cluster' },
    without: /not counted/,
    kind: 'bars',
  },
  {
    name: 'start',
    command: 'bench:start',
    title: 'What a start takes',
    axis: 'seconds',
    unit: 's',
    columns: {
      'bare Express': 'bare Express',
      API: 'the API',
      '`npm start` on data that is there': 'npm start',
    },
    kind: 'bars',
    bound: 'wanted',
  },
  {
    name: 'reads',
    command: 'bench:reads',
    title: 'What reads cost in libraries of several sizes',
    axis: 'times what GET /version takes beside it',
    unit: '×',
    columns: { '10,000': '10,000 items', '100,000': '100,000 items', '1,000,000': '1,000,000 items' },
    kind: 'dots',
    bound: 'wanted',
  },
  {
    name: 'timeline',
    command: 'bench:web',
    title: 'How long the timeline lets somebody wait',
    axis: 'milliseconds, in a browser slowed down four times',
    unit: 'ms',
    columns: { '10,000 items': '10,000 items', '1,000,000 items': '1,000,000 items' },
    kind: 'bars',
    bound: 'wanted',
  },
  {
    name: 'people',
    command: 'bench:people',
    title: 'Putting a face to its person among 100,000 faces',
    axis: 'milliseconds',
    unit: 'ms',
    columns: { median: 'median', '95 %': '95 of 100' },
    without: /first|photos/,
    kind: 'bars',
    bound: 'wanted',
  },
];
