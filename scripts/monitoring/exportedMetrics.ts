import { getRegistry } from '@hearth/core/metrics/metrics.ts';
import { createMetrics } from '@hearth/queue-scaler/metrics.ts';

/** Processes that export metrics. */
export const exporters = ['api', 'worker', 'operator'] as const;

export type Exporter = (typeof exporters)[number];

/** A declared metric. */
export interface ExportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  /** Upper bounds of the buckets of a histogram. */
  readonly bounds: readonly number[];
}

/** Returns every metric that a process declares, including those without any series yet. */
export const listMetrics = (exporter: Exporter): readonly ExportedMetric[] => {
  const registry = exporter === 'operator' ? createMetrics().registry : getRegistry(exporter);
  // Properties missing in the types of prom-client.
  const declared = registry.getMetricsAsArray() as unknown as DeclaredMetric[];
  return declared.map(({ name, help, type, labelNames, upperBounds = [] }) => ({
    name,
    help,
    type,
    labels: labelNames,
    bounds: upperBounds,
  }));
};

interface DeclaredMetric extends Pick<ExportedMetric, 'name' | 'help' | 'type'> {
  readonly labelNames: readonly string[];
  readonly upperBounds?: readonly number[];
}

/** Returns the metric of a series. Series of a histogram have suffixes. */
export const findMetricOfSeries = (
  series: string,
  metrics: ReadonlyMap<string, ExportedMetric>,
): ExportedMetric | undefined => {
  const known = metrics.get(series);
  if (known !== undefined) return known;
  const histogram = metrics.get(series.replace(/_(?:bucket|sum|count)$/, ''));
  return histogram?.type === 'histogram' ? histogram : undefined;
};

/** Returns the labels of a series in Prometheus, without those of the target. */
export const listLabelsOfSeries = (series: string, { type, labels }: ExportedMetric): readonly string[] =>
  type === 'histogram' && series.endsWith('_bucket') ? [...labels, 'le'] : labels;
