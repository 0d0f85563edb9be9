import type { Options } from 'k6/options';
import { settings } from './settings.ts';

/** Latency of one metric, in ms. */
interface Latency {
  readonly name: string;
  readonly median: number;
  readonly p95: number;
  /** Limit of the 95th percentile. */
  readonly allowed: number;
}

/** The `handleSummary` data of k6. */
interface Measured {
  readonly state: { readonly testRunDurationMs: number };
  readonly metrics: Readonly<Record<string, Metric>>;
}

interface Metric {
  readonly type: string;
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

/**
 * Returns a `handleSummary` function that prints a table. With a report folder it also writes the table and all figures
 * as JSON.
 */
export const summarise =
  (name: string, { thresholds = {} }: Options) =>
  (measured: Measured): Record<string, string> => {
    const latencies = listLatencies(measured, thresholds);
    const table = describe(name, measured, latencies);
    if (settings.reportFolder === undefined) return { stdout: table };
    const path = `${settings.reportFolder}/${name}`;
    return {
      stdout: table,
      [`${path}.json`]: `${JSON.stringify(measured, undefined, 2)}\n`,
      [`${path}.md`]: table,
    };
  };

/** Lists the metrics with a `p(95)` threshold. */
const listLatencies = ({ metrics }: Measured, thresholds: NonNullable<Options['thresholds']>): Latency[] =>
  Object.entries(thresholds).flatMap(([metric, conditions]) => {
    const values = metrics[metric]?.values;
    const allowed = conditions
      .map((condition) => (typeof condition === 'string' ? /^p\(95\)<([\d.]+)$/.exec(condition)?.[1] : undefined))
      .find(Boolean);
    if (values === undefined || allowed === undefined) return [];
    const name = /\{endpoint:(\w+)\}/.exec(metric)?.[1] ?? metric.replaceAll('_', ' ');
    return [{ name, median: values['med'] ?? NaN, p95: values['p(95)'] ?? NaN, allowed: Number(allowed) }];
  });

const describe = (name: string, { state, metrics }: Measured, latencies: readonly Latency[]): string => {
  const getValue = (metric: string, value: string): number => metrics[metric]?.values[value] ?? 0;
  const version = latencies.find((latency) => latency.name === 'version')?.median;
  const seconds = (state.testRunDurationMs / 1_000).toFixed(0);
  const rows = latencies.map((latency) => [
    latency.name,
    String(getValue(`http_reqs{endpoint:${latency.name}}`, 'count') || ''),
    ms(latency.median),
    version === undefined ? '' : `${(latency.median / version).toFixed(1)} ×`,
    ms(latency.p95),
    ms(latency.allowed),
  ]);
  const figures = Object.entries(metrics).flatMap(([metric, { type, values }]) =>
    type === 'gauge' && /_seconds$|^most_/.test(metric) && values['value'] !== 0
      ? [`- ${metric.replaceAll('_', ' ')}: ${(values['value'] ?? 0).toFixed(1)}`]
      : [],
  );
  const missed = Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds).flatMap(([condition, { ok }]) => (ok ? [] : [`- MISSED: ${metric}: ${condition}`])),
  );
  return `${[
    `# k6: ${name}`,
    '',
    `${new Date().toISOString().slice(0, 10)}: ${getValue('iterations', 'count')} iterations in ${seconds} s, ${getValue('dropped_iterations', 'count')} dropped; ${getValue('checks', 'passes')} checks held, ${getValue('checks', 'fails')} did not.`,
    '',
    row('', 'requests', 'median', 'of `GET /version`', '95 %', 'limit'),
    row('---', '---:', '---:', '---:', '---:', '---:'),
    ...rows.map((cells) => row(...cells)),
    ...(figures.length > 0 ? ['', ...figures] : []),
    ...(missed.length > 0 ? ['', ...missed] : ['', 'All thresholds passed.']),
  ].join('\n')}\n`;
};

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const ms = (value: number): string => (value < 10 ? `${value.toFixed(1)} ms` : `${value.toFixed(0)} ms`);
