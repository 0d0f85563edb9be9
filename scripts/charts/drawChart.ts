import type { Figure, PublishedFigures } from '@hearth/testkit/figures/figures.ts';
import { renderChart, themes, type Theme } from '@hearth/testkit/figures/renderChart.ts';
import { type Chart, charts } from './charts.ts';
import { readFileSync } from 'node:fs';
import { figuresPath } from '@hearth/testkit/figures/publish.ts';

/** A data point: row label, column name and number. */
interface Value {
  readonly row: string;
  readonly column: string;
  readonly value: number;
}

/** Draws a chart as SVG. @throws Error if the figures lack a column of the chart, or contain no value in its unit */
export const drawChart = (chart: Chart, figures: PublishedFigures, theme: Theme): Promise<string> => {
  const { values, bounds } = readValues(chart, figures);
  const columns = Object.values(chart.columns);
  const isBars = chart.kind === 'bars';
  const rows = [...new Set(values.map(({ row }) => row))];
  const rowHeight = isBars ? columns.length * 13 + 9 : 19;
  const highest = Math.max(...[...values, ...bounds].map(({ value }) => value));
  const row = {
    field: 'row',
    type: 'nominal',
    sort: null,
    title: null,
    axis: { labelPadding: 8 },
    scale: { paddingInner: isBars ? 0.25 : 0 },
  } as const;
  const x = {
    type: 'quantitative',
    title: chart.axis,
    scale: { domain: [0, highest * (isBars ? 1.08 : 1)], nice: !isBars },
    axis: { tickCount: 8 },
  } as const;
  const columnField = { field: 'column', type: 'nominal', sort: columns, title: null } as const;
  const offset = isBars ? { yOffset: { ...columnField, scale: { paddingInner: 0.1 } } } : {};
  const target = {
    datum: 'target',
    type: 'nominal',
    scale: { range: [themes[theme].text] },
    legend: { symbolType: 'M-0.1,-1H0.1V1H-0.1Z', symbolSize: 250 },
  } as const;
  const spec = {
    title: chart.title,
    width: 772,
    autosize: { type: 'fit-x', contains: 'content' },
    height: rows.length * rowHeight,
    encoding: { y: row },
    layer: [
      {
        data: { values },
        mark: isBars ? { type: 'bar' } : { type: 'circle', size: 70, opacity: 1 },
        encoding: {
          x: { ...x, field: 'value' },
          color: { ...columnField, legend: { symbolType: 'circle' } },
          ...offset,
        },
      },
      ...(bounds.length === 0
        ? []
        : ([
            {
              data: { values: bounds },
              mark: { type: 'tick', thickness: 2, size: rowHeight - 4, opacity: 1 },
              encoding: { x: { ...x, field: 'value' }, color: target },
            },
          ] as const)),
      // The first of the two texts is an outline that keeps numbers legible on lines.
      ...(isBars ? [{ stroke: themes[theme].page, strokeWidth: 3 }, {}] : []).map(
        (paint) =>
          ({
            data: { values },
            transform: [{ calculate: "format(datum.value, ',.4~r')", as: 'label' }],
            mark: { type: 'text', align: 'left', dx: 5, fontSize: 11, ...paint },
            encoding: { x: { ...x, field: 'value' }, text: { field: 'label' }, ...offset },
          }) as const,
      ),
    ],
    resolve: { scale: { color: 'independent' } },
  };
  return renderChart(spec, theme);
};

const readValues = (
  chart: Chart,
  { tables, command }: PublishedFigures,
): { readonly values: readonly Value[]; readonly bounds: readonly Omit<Value, 'column'>[] } => {
  const table = tables[chart.table ?? 0];
  const findColumn = (column: string): number => {
    const index = table?.columns.indexOf(column) ?? -1;
    if (index < 0) throw new Error(`${command} published no column ${column}`);
    return index;
  };
  const isInUnit = (figure: Figure | null | undefined): figure is Figure => figure?.unit === chart.unit;
  const rows = (table?.rows ?? []).filter(({ label }) => chart.without?.test(label) !== true);
  const values = rows.flatMap(({ label, cells }) =>
    Object.entries(chart.columns).flatMap(([name, column]) => {
      const figure = cells[findColumn(name)];
      return isInUnit(figure) ? [{ row: label.replaceAll('`', ''), column, value: figure.value }] : [];
    }),
  );
  if (values.length === 0) throw new Error(`${command} published no values in ${chart.unit}`);
  const drawn = new Set(values.map(({ row }) => row));
  const bounds =
    chart.bound === undefined
      ? []
      : rows.flatMap(({ label, cells }) => {
          const [row, figure] = [label.replaceAll('`', ''), cells[findColumn(chart.bound!)]];
          return isInUnit(figure) && drawn.has(row) ? [{ row, value: figure.value }] : [];
        });
  return { values, bounds };
};

/**
 * Draws all charts in both themes from the published figures. File names are relative to
 * `docs/docs/dev-guide/benchmarks`.
 */
export const drawnCharts = (): Promise<readonly (readonly [file: string, svg: string])[]> =>
  Promise.all(
    charts.flatMap((chart) => {
      const figures = JSON.parse(readFileSync(figuresPath(chart.command), 'utf8')) as PublishedFigures;
      return (['light', 'dark'] as const).map(
        async (theme) => [`${chart.name}-${theme}.svg`, `${await drawChart(chart, figures, theme)}\n`] as const,
      );
    }),
  );
