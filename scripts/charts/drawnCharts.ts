import { readFileSync } from 'node:fs';
import type { PublishedFigures } from '@hearth/testkit/hearth/figures.ts';
import { figuresPath } from '@hearth/testkit/hearth/publish.ts';
import { charts } from './charts.ts';
import { drawChart, type Theme } from './drawChart.ts';

/** The file of every chart in both themes, within `docs/docs/dev-guide/benchmarks`, drawn of the figures that are kept there. */
export const drawnCharts = (): readonly (readonly [file: string, svg: string])[] =>
  charts.flatMap((chart) => {
    const figures = JSON.parse(readFileSync(figuresPath(chart.command), 'utf8')) as PublishedFigures;
    return (['light', 'dark'] as const satisfies readonly Theme[]).map(
      (theme) => [`${chart.name}-${theme}.svg`, drawChart(chart, figures, theme)] as const,
    );
  });
