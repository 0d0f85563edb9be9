import { join } from 'node:path';
import { dashboards } from './dashboards/dashboards.ts';
import { adminGuide, renderAlertsPage, renderMetricsPage } from './pages.ts';
import { renderDashboard } from './renderDashboard.ts';
import { chartFiles } from './rules.ts';

export const dashboardFile = (name: string): string => join(chartFiles, 'dashboards', `${name}.json`);

/** Returns every generated file with its text. */
export const listGenerated = (): readonly (readonly [path: string, text: string])[] => [
  ...dashboards.map((dashboard) => [dashboardFile(dashboard.name), renderDashboard(dashboard)] as const),
  [join(adminGuide, 'metrics.md'), renderMetricsPage()],
  [join(adminGuide, 'alerts.md'), renderAlertsPage()],
];
