import type { Figure, PublishedFigures } from '@hearth/testkit/hearth/figures.ts';
import type { Chart } from './charts.ts';

export type Theme = 'light' | 'dark';

/** The colours of the site, and one for each column. */
const themes = {
  light: { page: '#fbfaf8', text: '#1f1b17', line: '#dcd5cb', series: ['#a3410a', '#2f6f8f', '#5d6b1e'] },
  dark: { page: '#161412', text: '#ece6df', line: '#463f38', series: ['#ff9b66', '#7cc0e0', '#c3d474'] },
} as const satisfies Record<Theme, object>;

/** Pixels: of the whole width, of the margin at its left, and of the space right of the plot, where the number of the longest bar stands. */
const [width, margin, rest] = [800, 14, 60];
/** About as many pixels as a letter is wide, somewhat more in capitals. */
const letter = 6.6;
const [barHeight, rowGap, dotRow] = [13, 9, 19];
/** Where the rows begin, below title and legend. */
const top = 70;

/** A row of a chart: a number for each column, and its bound where it has one. */
interface Row {
  readonly label: string;
  readonly values: readonly (number | undefined)[];
  readonly bound: number | undefined;
}

/** Draws a chart as SVG. @throws where the figures lack a column that it names, or have nothing in its unit */
export const drawChart = (chart: Chart, figures: PublishedFigures, theme: Theme): string => {
  const colours = themes[theme];
  const rows = rowsOf(chart, figures);
  const labels = margin + Math.max(...rows.map(({ label }) => label.length)) * letter;
  const plot = width - labels - rest;
  const names = Object.values(chart.columns);
  const rowHeight = chart.kind === 'dots' ? dotRow : names.length * barHeight + rowGap;
  const bottom = top + rows.length * rowHeight;
  const highest = Math.max(...rows.flatMap(({ values, bound }) => [...values, bound].map((value) => value ?? 0)));
  const step = stepOf(highest);
  const most = Math.ceil(highest / step) * step;
  const x = (value: number): number => labels + (value / most) * plot;
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step);
  const text = (at: readonly [number, number], content: string, more = ''): string =>
    `<text x="${round(at[0])}" y="${round(at[1])}" ${more}>${escape(content)}</text>`;
  const middle = rowHeight / 2;
  const body = rows.map(({ label, values, bound }, index) => {
    const y = top + index * rowHeight;
    const marks = values.map((value, column) =>
      value === undefined
        ? ''
        : chart.kind === 'dots'
          ? `<circle cx="${round(x(value))}" cy="${round(y + middle)}" r="4.5" fill="${colours.series[column]}"/>`
          : `<rect x="${round(labels)}" y="${round(y + rowGap / 2 + column * barHeight)}" width="${round(x(value) - labels)}" height="${barHeight - 2}" fill="${colours.series[column]}"/>` +
            text(
              [x(value) + 5, y + rowGap / 2 + column * barHeight + 10],
              said(value),
              `font-size="11" paint-order="stroke" stroke="${colours.page}" stroke-width="3"`,
            ),
    );
    const wanted =
      bound === undefined
        ? ''
        : `<path d="M${round(x(bound))} ${round(y + 2)} V${round(y + rowHeight - 2)}" stroke="${colours.text}" stroke-width="2"/>`;
    return [text([labels - 8, y + middle + 4], label, 'text-anchor="end"'), wanted, ...marks].join('');
  });
  const legend = names.map((name, index) => [name, colours.series[index]!] as const);
  const hasBounds = rows.some(({ bound }) => bound !== undefined);
  const places = legendPlaces([...names, ...(hasBounds ? ['wanted: up to here'] : [])]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${bottom + 46}" viewBox="0 0 ${width} ${bottom + 46}" font-family="system-ui, sans-serif" font-size="12" fill="${colours.text}">`,
    `<title>${escape(chart.title)}</title>`,
    `<rect width="100%" height="100%" fill="${colours.page}"/>`,
    text([margin, 26], chart.title, 'font-size="16" font-weight="600"'),
    ...legend.map(
      ([name, colour], index) =>
        `<circle cx="${places[index]! + 6}" cy="43" r="5" fill="${colour}"/>${text([places[index]! + 16, 47], name)}`,
    ),
    hasBounds
      ? `<path d="M${places.at(-1)! + 6} 36 V50" stroke="${colours.text}" stroke-width="2"/>${text([places.at(-1)! + 16, 47], 'wanted: up to here')}`
      : '',
    ...ticks.map(
      (tick) =>
        `<path d="M${round(x(tick))} ${top} V${bottom}" stroke="${colours.line}"/>${text([x(tick), bottom + 16], said(tick), 'text-anchor="middle" font-size="11"')}`,
    ),
    ...body,
    text([labels + plot / 2, bottom + 36], chart.axis, 'text-anchor="middle"'),
    '</svg>',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n');
};

const rowsOf = (chart: Chart, { tables, command }: PublishedFigures): readonly Row[] => {
  const table = tables[chart.table ?? 0];
  const place = (column: string): number => {
    const index = table?.columns.indexOf(column) ?? -1;
    if (index < 0) throw new Error(`${command} has published no column ${column}`);
    return index;
  };
  const drawn = Object.keys(chart.columns).map(place);
  const bound = chart.bound === undefined ? undefined : place(chart.bound);
  const inUnit = (figure: Figure | null | undefined): number | undefined =>
    figure?.unit === chart.unit ? figure.value : undefined;
  const rows = (table?.rows ?? [])
    .filter(({ label }) => chart.without?.test(label) !== true)
    .map(({ label, cells }) => ({
      label,
      values: drawn.map((column) => inUnit(cells[column])),
      bound: bound === undefined ? undefined : inUnit(cells[bound]),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined));
  if (rows.length === 0) throw new Error(`${command} has published nothing in ${chart.unit}`);
  return rows;
};

/** A round distance of the lines of a scale: 1, 2 or 5 of some power of ten, four to nine lines. */
const stepOf = (highest: number): number => {
  const power = 10 ** Math.floor(Math.log10(highest / 4));
  return power * ([1, 2, 5, 10].find((factor) => highest / (power * factor) <= 8) ?? 10);
};

/** Where the entries of a legend begin, one behind the other. */
const legendPlaces = (names: readonly string[]): readonly number[] =>
  names.map((_, index) => names.slice(0, index).reduce((sum, name) => sum + name.length * letter + 36, margin));

const said = (value: number): string => Number(value.toPrecision(4)).toLocaleString('en');

const round = (value: number): number => Math.round(value * 10) / 10;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '');
