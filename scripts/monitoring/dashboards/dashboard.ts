/** A dashboard of Grafana, as far as ours differ from one another. */
export interface Dashboard {
  /** Of its file, and of its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

/** Panels under a title. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A diagram, or one number. */
export interface Panel {
  readonly kind: 'lines' | 'number';
  readonly title: string;
  /** What one cannot see from the title. */
  readonly description?: string;
  /** As Grafana calls it. */
  readonly unit: Unit;
  /** Twenty-fourths of the width. */
  readonly width: 6 | 8 | 12;
  readonly queries: readonly Query[];
  /** Below it the number is red; at it or above, green. Without it the number has no colour. */
  readonly goodFrom?: number;
  /** The number is red from here on, and green below. */
  readonly badFrom?: number;
}

/** An expression of PromQL, and what its lines are called: `{{label}}` stands for a label's value. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** The units of Grafana that panels use: `percentunit` is a share of 1, `reqps` and `ops` are per second, `Bps` bytes per second. */
export type Unit = 'short' | 's' | 'bytes' | 'Bps' | 'reqps' | 'ops' | 'percentunit' | 'bool';

/** What selects the series of the installations that are chosen above a dashboard, followed by further matchers. */
export const of = (...matchers: readonly string[]): string => `{${['namespace=~"$namespace"', ...matchers].join(',')}}`;

/** The same of one kind of process; the labels are those of the chart's monitors. */
export const ofProcess = (component: 'api' | 'worker' | 'operator'): string =>
  of(`app_kubernetes_io_component="${component}"`);
