import type { Panel, Unit } from '@hearth/scripts/monitoring/dashboards/dashboard.ts';
import { renderChart } from '@hearth/testkit/figures/renderChart.ts';
import type { NamedLine, WatchedDashboard } from './watchDashboards.ts';

/** Width of one of the 24 columns in pixels, including the axis and the gap between panels. */
const column = 50;

const colours = { bad: '#f2495c', good: '#73bf69', plain: '#d8d9da' } as const;

/** Vega expressions that format a value in a Grafana unit. */
const labels: Readonly<Record<Unit, string>> = {
  short: "format(datum.value, abs(datum.value) < 1 ? '.3~r' : '.3~s')",
  s: "format(datum.value, '.3~s') + 's'",
  bytes: "format(datum.value, '.3~s') + 'B'",
  Bps: "format(datum.value, '.3~s') + 'B/s'",
  reqps: "format(datum.value, abs(datum.value) < 1 ? '.3~r' : '.3~s') + ' req/s'",
  ops: "format(datum.value, abs(datum.value) < 1 ? '.3~r' : '.3~s') + '/s'",
  percentunit: "format(datum.value, '.3~p')",
  bool: "datum.value === 1 ? 'True' : 'False'",
};

/** Draws a dashboard's data as SVG, in Grafana's rows. It does not imitate Grafana's style. */
export const drawDashboard = ({ dashboard, panels }: WatchedDashboard): Promise<string> =>
  renderChart(
    {
      title: dashboard.title,
      vconcat: dashboard.rows.map((row) => ({
        title: { text: row.title, fontSize: 14 },
        vconcat: wrap(row.panels).map((line) => ({
          hconcat: line.map((panel) => drawPanel(panel, panels.get(panel) ?? [])),
          resolve: { scale: { color: 'independent', x: 'independent' } },
        })),
      })),
      resolve: { scale: { color: 'independent', x: 'independent' } },
    },
    'dark',
  );

/** Splits a row into lines of panels up to 24 columns wide. */
const wrap = (panels: readonly Panel[]): readonly (readonly Panel[])[] => {
  const lines: Panel[][] = [[]];
  for (const panel of panels) {
    const width = lines.at(-1)!.reduce((sum, each) => sum + each.width, 0);
    if (width + panel.width > 24) lines.push([]);
    lines.at(-1)!.push(panel);
  }
  return lines;
};

const drawPanel = (panel: Panel, lines: readonly NamedLine[]) => {
  const frame = { title: { text: panel.title, fontSize: 13, offset: 6 }, width: panel.width * column - 60 } as const;
  return panel.kind === 'lines'
    ? ({
        ...frame,
        height: 150,
        data: { values: lines.flatMap(({ name, points }) => points.map(([at, value]) => ({ name, at, value }))) },
        mark: { type: 'line', strokeWidth: 1.5 },
        encoding: {
          x: { field: 'at', type: 'quantitative', axis: null, scale: { zero: false, nice: false } },
          y: {
            field: 'value',
            type: 'quantitative',
            title: null,
            axis: { labelExpr: labels[panel.unit], tickCount: 3 },
          },
          color: {
            field: 'name',
            type: 'nominal',
            scale: { scheme: 'set3' },
            legend: { orient: 'bottom', columns: 2, symbolLimit: 10, labelLimit: 180, symbolType: 'stroke' },
          },
        },
      } as const)
    : ({
        ...frame,
        height: 60,
        data: {
          values: lines.map(({ name, points }) => {
            const value = points.at(-1)?.[1];
            return { name, value, isBad: value !== undefined && isBad(panel, value) };
          }),
        },
        transform: [{ calculate: `isValid(datum.value) ? ${labels[panel.unit]} : '–'`, as: 'label' }],
        mark: { type: 'text', fontSize: 26 },
        encoding: {
          x: { field: 'name', type: 'nominal', title: null, axis: { labelAngle: 0 } },
          text: { field: 'label' },
          color: {
            condition: { test: 'datum.isBad', value: colours.bad },
            value: panel.goodFrom === undefined && panel.badFrom === undefined ? colours.plain : colours.good,
          },
        },
      } as const);
};

const isBad = ({ goodFrom = -Infinity, badFrom = Infinity }: Panel, value: number): boolean =>
  value < goodFrom || value >= badFrom;
