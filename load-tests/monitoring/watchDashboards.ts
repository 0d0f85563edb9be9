import { setTimeout as sleep } from 'node:timers/promises';
import { dashboards } from '../../scripts/monitoring/dashboards/dashboards.ts';
import type { Dashboard, Panel } from '../../scripts/monitoring/dashboards/dashboard.ts';
import { startMonitoredHearth } from './monitoredHearth.ts';
import { startPrometheus, type Line } from './prometheus.ts';

/** What a dashboard shows after a load. */
export interface WatchedDashboard {
  readonly dashboard: Dashboard;
  readonly panels: ReadonlyMap<Panel, readonly NamedLine[]>;
}

/** A line with what its legend says. */
export interface NamedLine extends Line {
  readonly name: string;
}

/** Everything that was seen. */
export interface Watched {
  readonly dashboards: readonly WatchedDashboard[];
  /** What Prometheus found wrong with targets and rules. */
  readonly problems: readonly string[];
  /** Alerts that fired. */
  readonly alerts: readonly string[];
}

/** Photos of the load, and seconds of rest before and after it, in which lines begin and end. */
const load = { photos: 120, restSeconds: 8 } as const;

/** Starts Hearth, an operator and a Prometheus that scrapes them, puts a small load on them, and asks what every panel would show. */
export const watchDashboards = async (directory: string, signal: AbortSignal): Promise<Watched> => {
  await using running = new AsyncDisposableStack();
  const hearth = await startMonitoredHearth(directory);
  running.defer(() => hearth.stop());
  const prometheus = await startPrometheus(hearth.targets);
  running.defer(() => prometheus.stop());
  await sleep(load.restSeconds * 1_000);
  await hearth.load(load.photos, signal);
  await sleep(load.restSeconds * 1_000);

  const seen: WatchedDashboard[] = [];
  for (const dashboard of dashboards) {
    const panels = new Map<Panel, readonly NamedLine[]>();
    for (const panel of dashboard.rows.flatMap((row) => row.panels)) {
      const lines: NamedLine[] = [];
      for (const { expr, legend } of panel.queries)
        for (const line of await prometheus.query(expr, prometheus.startedAt))
          lines.push({
            ...line,
            name: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => line.labels[label] ?? ''),
          });
      panels.set(panel, lines);
    }
    seen.push({ dashboard, panels });
  }
  const alerts = await prometheus.query('ALERTS{alertstate="firing"}', prometheus.startedAt);
  return {
    dashboards: seen,
    problems: await prometheus.problems(),
    alerts: alerts.map(({ labels }) => labels['alertname'] ?? ''),
  };
};
