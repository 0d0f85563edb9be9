import { dashboards } from './dashboards/dashboards.ts';
import { readRuleFiles } from './rules.ts';

/** An expression of PromQL, and where it stands. */
export interface Expression {
  /** The name of the alert or the recorded series, or the title of the dashboard. */
  readonly user: string;
  readonly kind: 'alert' | 'record' | 'panel';
  /** Of a panel its title. */
  readonly panel?: string;
  readonly expr: string;
}

/** Every expression of the rules and dashboards. */
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

/** The names of the series that rules record. */
export const listRecords = (): ReadonlySet<string> =>
  new Set(readRuleFiles('recording').flatMap(({ rules }) => rules.map(({ record }) => record!)));
