import { join } from 'node:path';
import { exporters, metricOfSeries, metricsOf, type ExportedMetric, type Exporter } from './exportedMetrics.ts';
import { listExpressions } from './expressions.ts';
import { parsePromql } from './promql.ts';
import { readRuleFiles } from './rules.ts';

export const adminGuide = join(import.meta.dirname, '../../docs/docs/admin-guide');

/** Renders the page with all metrics. */
export const renderMetricsPage = (): string => {
  const byName = new Map<string, { metric: ExportedMetric; by: Exporter[] }>();
  for (const exporter of exporters)
    for (const metric of metricsOf(exporter)) {
      const known = byName.get(metric.name) ?? { metric, by: [] };
      known.by.push(exporter);
      byName.set(metric.name, known);
    }
  const users = usersByMetric(new Map([...byName].map(([name, { metric }]) => [name, metric])));
  const section = (title: string, ...by: readonly Exporter[]): string => {
    const metrics = [...byName.values()].filter((each) => each.by.join() === by.join());
    const rows = metrics.map(({ metric: { name, type, labels, help } }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      escapeCell(help.trim()),
      [...(users.get(name) ?? [])].join(', '),
    ]);
    return `## ${title}\n\n${table(['metric', 'type', 'labels', 'what it is', 'used by'], rows)}`;
  };
  return page(
    '# Metrics',
    'Each process serves these metrics at `/metrics` on port 9464. [Monitoring](../user-guide/monitoring.md) explains how to collect them. `npm run docs:monitoring` writes this page.',
    section('The API', 'api'),
    section('Workers', 'worker'),
    section('The API and workers', 'api', 'worker'),
    section('The operator', 'operator'),
    section('Every process, from the library that exports metrics', ...exporters),
  );
};

/** Renders the page with all alerts. */
export const renderAlertsPage = (): string => {
  const rows = readRuleFiles('alerts').flatMap(({ name, rules }) =>
    rules.map(({ alert, labels, annotations, for: wait }) => [
      `[${alert}](alerts/${name}.md)`,
      labels!['severity']!,
      wait!,
      escapeCell(annotations!['summary']!),
    ]),
  );
  return page(
    '# Alerts',
    'Each alert has a page with steps to fix its cause. `critical`: users notice it, look now. `warning`: look today. [Monitoring](../user-guide/monitoring.md) explains how to receive alerts. `npm run docs:monitoring` writes this page.',
    table(['alert', 'severity', 'after', 'what it says'], rows),
  );
};

/** Returns the alerts and dashboards that use each metric, also through recorded series. */
const usersByMetric = (metrics: ReadonlyMap<string, ExportedMetric>): ReadonlyMap<string, ReadonlySet<string>> => {
  const users = new Map<string, Set<string>>();
  const expressions = listExpressions();
  const note = (series: string, user: string): void => {
    for (const { expr } of expressions.filter(({ user }) => user === series))
      for (const { metric } of parsePromql(expr).metrics) if (metric !== series) note(metric, user);
    const name = metricOfSeries(series, metrics)?.name;
    if (name !== undefined) users.set(name, (users.get(name) ?? new Set()).add(user));
  };
  for (const { kind, user, expr } of expressions)
    if (kind !== 'record') for (const { metric } of parsePromql(expr).metrics) note(metric, user);
  return users;
};

const page = (...paragraphs: readonly string[]): string => `${paragraphs.join('\n\n')}\n`;

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** Pads the columns as the formatter does. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((cell, index) => Math.max(3, cell.length, ...rows.map((row) => row[index]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};
