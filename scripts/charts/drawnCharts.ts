import { readFileSync } from 'node:fs';
import type { PublishedFigures } from '@hearth/testkit/figures/figures.ts';
import { figuresPath } from '@hearth/testkit/figures/publish.ts';
import { charts } from './charts.ts';
import { drawChart } from './drawChart.ts';

/** The file of every chart in both themes, within `docs/docs/dev-guide/benchmarks`, drawn from the stored figures. */
export const drawnCharts = (): Promise<readonly (readonly [file: string, svg: string])[]> =>
  Promise.all(
    charts.flatMap((chart) => {
      const figures = JSON.parse(readFileSync(figuresPath(chart.command), 'utf8')) as PublishedFigures;
      return (['light', 'dark'] as const).map(
        async (theme) => [`${chart.name}-${theme}.svg`, `${await drawChart(chart, figures, theme)}\n`] as const,
      );
    }),
  );
