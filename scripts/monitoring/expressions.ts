import { dashboards } from './dashboards/dashboards.ts';
import { readRuleFiles } from './rules.ts';

/** A PromQL expression and its location. */
export interface Expression {
  /** Name of the alert or recorded series, or title of the dashboard. */
  readonly user: string;
  readonly kind: 'alert' | 'record' | 'panel';
  /** Title of the panel. */
  readonly panel?: string;
  readonly expr: string;
}

/** Returns every expression of the rules and dashboards. */
export const listExpressions = (): readonly Expression[] => [
  ...[...readRuleFiles('recording'), ...readRuleFiles('alerts')].flatMap(({ rules }) =>
    rules.map(({ alert, record, expr }) =>
      alert === undefined
        ? { user: record!, kind: 'record' as const, expr }
        : { user: alert, kind: 'alert' as const, expr },
    ),
  ),
  ...dashboards.flatMap(({ title: user, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) =>
        queries.map(({ expr }) => ({ user, kind: 'panel' as const, panel: title, expr })),
      ),
    ),
  ),
];

/** Returns the names of the recorded series. */
export const listRecords = (): ReadonlySet<string> =>
  new Set(readRuleFiles('recording').flatMap(({ rules }) => rules.map(({ record }) => record!)));
