import { setTimeout as sleep } from 'node:timers/promises';
import { dashboards } from '@hearth/scripts/monitoring/dashboards/dashboards.ts';
import type { Dashboard, Panel } from '@hearth/scripts/monitoring/dashboards/dashboard.ts';
import { startMonitoredHearth, type Target } from './monitoredHearth.ts';
import { startPrometheus, type Line } from './prometheus.ts';
import { generateLoad } from './generateLoad.ts';

/** Data of a dashboard after a load. */
export interface WatchedDashboard {
  readonly dashboard: Dashboard;
  readonly panels: ReadonlyMap<Panel, readonly NamedLine[]>;
}

/** A line with its legend and the index of its query in the panel. */
export interface NamedLine extends Line {
  readonly name: string;
  readonly query: number;
}

/** Results of a monitored load. */
export interface DashboardReport {
  readonly dashboards: readonly WatchedDashboard[];
  /** Problems that Prometheus found with targets and rules. */
  readonly problems: readonly string[];
  /** Alerts that fired. */
  readonly alerts: readonly string[];
}

/** A Hearth under monitoring, with its scrape config and a load. */
export interface MonitoredSystem {
  readonly scrapeConfig: object;
  readonly load: () => Promise<void>;
}

/** Idle seconds before and after the load, so that lines have a start and an end. */
const restSeconds = 8;

/** Starts Hearth, an operator and Prometheus, uploads `photos` photos, and queries every panel. */
export const watchOwnHearth = async (
  directory: string,
  photos: number,
  signal: AbortSignal,
): Promise<DashboardReport> => {
  const hearth = await startMonitoredHearth(directory, signal);
  try {
    const { targets, client } = hearth;
    const watched = await watchDashboards({
      scrapeConfig: { static_configs: targets.map(toLabels) },
      load: () => generateLoad(client, photos),
    });
    return { ...watched, problems: [...watched.problems, ...hearth.lastLines()] };
  } finally {
    await hearth.stop();
  }
};

/** Adds the labels of the chart's monitors to a target. */
const toLabels = ({ exporter, address }: Target): object => ({
  targets: [address],
  labels: {
    namespace: 'photos',
    pod: `hearth-${exporter}`,
    app_kubernetes_io_name: 'hearth',
    app_kubernetes_io_component: exporter,
  },
});

/** Runs Prometheus during the load, and queries every panel. */
export const watchDashboards = async (hearth: MonitoredSystem): Promise<DashboardReport> => {
  await using running = new AsyncDisposableStack();
  const prometheus = await startPrometheus(hearth.scrapeConfig);
  running.defer(() => prometheus.stop());
  await sleep(restSeconds * 1_000);
  await hearth.load();
  await sleep(restSeconds * 1_000);

  const watchedDashboards: WatchedDashboard[] = [];
  for (const dashboard of dashboards) {
    const panels = new Map<Panel, readonly NamedLine[]>();
    for (const panel of dashboard.rows.flatMap((row) => row.panels)) {
      const lines: NamedLine[] = [];
      for (const [query, { expr, legend }] of panel.queries.entries())
        for (const line of await prometheus.query(expr, prometheus.startedAt))
          lines.push({
            ...line,
            query,
            name: legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => line.labels[label] ?? ''),
          });
      panels.set(panel, lines);
    }
    watchedDashboards.push({ dashboard, panels });
  }
  const alerts = await prometheus.query('ALERTS{alertstate="firing"}', prometheus.startedAt);
  return {
    dashboards: watchedDashboards,
    problems: await prometheus.problems(),
    alerts: alerts.map(({ labels }) => labels['alertname'] ?? ''),
  };
};

/** Returns a message for each panel query without a line of several points. */
export const listEmptyPanels = ({ dashboards: watchedDashboards }: DashboardReport): string[] =>
  watchedDashboards.flatMap(({ dashboard, panels }) =>
    [...panels].flatMap(([{ title, queries }, lines]) =>
      queries
        .filter((_, index) => !lines.some(({ query, points }) => query === index && points.length > 1))
        .map(({ expr }) => `${dashboard.title}: ${title} has no data for ${expr}`),
    ),
  );
