import { join } from 'node:path';
import { exporters, listMetrics, type ExportedMetric, type Exporter } from './exportedMetrics.ts';
import { readRuleFiles } from './rules.ts';

export const adminGuide = join(import.meta.dirname, '../../docs/docs/admin-guide');

/** Renders the page with all metrics. */
export const renderMetricsPage = (): string => {
  const byName = new Map<string, { metric: ExportedMetric; by: Exporter[] }>();
  for (const exporter of exporters)
    for (const metric of listMetrics(exporter)) {
      const entry = byName.get(metric.name) ?? { metric, by: [] };
      entry.by.push(exporter);
      byName.set(metric.name, entry);
    }
  const section = (title: string, ...by: readonly Exporter[]): string => {
    const metrics = [...byName.values()].filter((each) => each.by.join() === by.join());
    const rows = metrics.map(({ metric: { name, type, labels, help } }) => {
      const by = labels.length === 0 ? '' : ` by ${labels.map((label) => `\`${label}\``).join(', ')}`;
      const meaning = help.trim().replace(/; exported by the housekeeper of (?:the \w+|its) lane$/, '');
      return `- \`${name}\` (${type}${by}): ${escapeText(meaning)}`;
    });
    return `## ${title}\n\n${rows.join('\n')}`;
  };
  return page(
    '# Metrics',
    'Each process serves these metrics at `/metrics` on port 9464. [Monitoring](../user-guide/monitoring.md) explains how to collect them. Of several API processes, only one exports the values of the whole installation, such as counts of originals, orphans and jobs. `npm run docs:monitoring` writes this page.',
    section('The API', 'api'),
    section('Workers', 'worker'),
    section('The API and workers', 'api', 'worker'),
    section('The operator', 'operator'),
    'Every process also exports the default metrics of prom-client, such as `process_cpu_seconds_total` and `nodejs_eventloop_lag_seconds`.',
  );
};

/** Renders the page with all alerts. */
export const renderAlertsPage = (): string => {
  const rows = readRuleFiles('alerts').flatMap(({ name, rules }) =>
    rules.map(({ alert, labels, annotations, for: wait }) => [
      `[${alert}](alerts/${name}.md)`,
      labels!['severity']!,
      wait!,
      escapeText(annotations!['summary']!),
    ]),
  );
  return page(
    '# Alerts',
    'Each alert has a page with steps to fix its cause. `critical`: users notice the problem, so act now. `warning`: act today. [Monitoring](../user-guide/monitoring.md) explains how to receive alerts. `npm run docs:monitoring` writes this page.',
    table(['alert', 'severity', 'after', 'meaning'], rows),
  );
};

const page = (...paragraphs: readonly string[]): string => `${paragraphs.join('\n\n')}\n`;

const escapeText = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** Pads the columns as the formatter does. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((cell, index) => Math.max(3, cell.length, ...rows.map((row) => row[index]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
};
