import { registryOf } from '@hearth/core/metrics/metrics.ts';
import { createMetrics } from '@hearth/queue-scaler/metrics.ts';

/** The processes that export metrics. */
export const exporters = ['api', 'worker', 'operator'] as const;

export type Exporter = (typeof exporters)[number];

/** A metric as a process declares it. */
export interface ExportedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
  /** Of a histogram: the upper bounds of its buckets. */
  readonly bounds: readonly number[];
}

/** Every metric that a process can export, also those of which it has no series yet. */
export const metricsOf = (exporter: Exporter): readonly ExportedMetric[] => {
  const registry = exporter === 'operator' ? createMetrics().registry : registryOf(exporter);
  // Properties that the types of prom-client leave out.
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

/** The metric that a series belongs to: those of a histogram have endings of their own. */
export const metricOfSeries = (
  series: string,
  metrics: ReadonlyMap<string, ExportedMetric>,
): ExportedMetric | undefined => {
  const known = metrics.get(series);
  if (known !== undefined) return known;
  const histogram = metrics.get(series.replace(/_(?:bucket|sum|count)$/, ''));
  return histogram?.type === 'histogram' ? histogram : undefined;
};

/** The labels of a series as Prometheus has it, before those of the target. */
export const labelsOfSeries = (series: string, { type, labels }: ExportedMetric): readonly string[] =>
  type === 'histogram' && series.endsWith('_bucket') ? [...labels, 'le'] : labels;
