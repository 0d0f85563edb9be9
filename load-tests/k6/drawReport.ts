import { renderChart } from '@hearth/testkit/figures/renderChart.ts';
import type { Timeline } from './timeline.ts';

/** The part of k6's `handleSummary` data that the chart shows. */
export interface Measured {
  readonly metrics: Readonly<
    Record<
      string,
      { readonly values: Readonly<Record<string, number>>; readonly thresholds?: Readonly<Record<string, unknown>> }
    >
  >;
}

const width = 560;

/** Draws the median, the 95th percentile and the bound of each metric with a `p(95)` threshold, as SVG. */
export const drawLatencies = (title: string, { metrics }: Measured): Promise<string> => {
  const rows = Object.entries(metrics).flatMap(([metric, { values, thresholds = {} }]) => {
    const [allowed] = Object.keys(thresholds).flatMap((each) => /^p\(95\)<([\d.]+)$/.exec(each)?.[1] ?? []);
    const name = /\{endpoint:(\w+)\}/.exec(metric)?.[1] ?? metric.replaceAll('_', ' ');
    return allowed === undefined
      ? []
      : [{ name, median: values['med'], p95: values['p(95)'], allowed: Number(allowed) }];
  });
  const y = { field: 'name', type: 'nominal', sort: null, title: null } as const;
  // Log scale, because responses take milliseconds and photos take seconds.
  const x = {
    type: 'quantitative',
    title: 'milliseconds',
    scale: { type: 'log', nice: true },
    axis: { format: ',~f', tickCount: 6 },
  } as const;
  const point = (field: string, name: string) =>
    ({
      mark: { type: 'circle', size: 90, opacity: 1 },
      encoding: { x: { ...x, field }, color: { datum: name } },
    }) as const;
  return renderChart({
    title,
    width,
    height: { step: 28 },
    data: { values: rows },
    encoding: { y },
    layer: [
      {
        mark: { type: 'rule', strokeWidth: 4, opacity: 0.4 },
        encoding: { x: { ...x, field: 'median' }, x2: { field: 'p95' } },
      },
      point('median', 'median'),
      point('p95', '95 %'),
      {
        mark: { type: 'tick', thickness: 3, size: 18, opacity: 1 },
        encoding: { x: { ...x, field: 'allowed' }, color: { datum: 'limit for p95' } },
      },
    ],
  });
};

/** Draws the course of a burst: uploaded and READY photos above, ready workers below if they are known. */
export const drawTimeline = (title: string, { uploaded, ready, workers }: Timeline): Promise<string> => {
  const lines = {
    'uploaded photos': uploaded,
    'READY photos': ready,
    'ready workers': workers,
  };
  const panel = (names: readonly (keyof typeof lines)[], height: number) =>
    ({
      width,
      height,
      data: { values: names.flatMap((name) => lines[name].map(([seconds, count]) => ({ name, seconds, count }))) },
      mark: { type: 'line', interpolate: 'step-after', strokeWidth: 3 },
      encoding: {
        x: { field: 'seconds', type: 'quantitative', title: 'seconds' },
        y: { field: 'count', type: 'quantitative', title: null, axis: { format: 'd' } },
        color: { field: 'name', type: 'nominal', sort: Object.keys(lines) },
      },
    }) as const;
  const photos = panel(['uploaded photos', 'READY photos'], 220);
  return renderChart({
    title,
    vconcat: workers.length === 0 ? [photos] : [photos, panel(['ready workers'], 90)],
    resolve: { scale: { x: 'shared', color: 'shared' } },
  });
};
