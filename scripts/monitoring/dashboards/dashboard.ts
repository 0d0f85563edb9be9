/** The part of a Grafana dashboard that differs between ours. */
export interface Dashboard {
  /** Base name of its file, and its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** A time series chart or a single number. */
export interface Panel {
  readonly kind: 'lines' | 'number';
  readonly title: string;
  /** Information that the title does not give. */
  readonly description?: string;
  /** Name of the unit in Grafana. */
  readonly unit: Unit;
  /** Width in units of 1/24 of the dashboard. */
  readonly width: 6 | 8 | 12;
  readonly queries: readonly Query[];
  /** The number is green from this value and red below. Without a threshold it has no colour. */
  readonly goodFrom?: number;
  /** The number is red from this value and green below. */
  readonly badFrom?: number;
}

/** A PromQL expression and the legend of its lines. `{{label}}` is replaced by the label's value. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/**
 * Grafana units of the panels: `percentunit` is a share of 1, `reqps` and `ops` are per second, `Bps` is bytes per
 * second.
 */
export type Unit = 'short' | 's' | 'bytes' | 'Bps' | 'reqps' | 'ops' | 'percentunit' | 'bool';

/** Returns a label selector for the installations selected at the top of the dashboard, with further matchers. */
export const selectInstallation = (...matchers: readonly string[]): string =>
  `{${['namespace=~"$namespace"', ...matchers].join(',')}}`;

/** Returns a label selector for one kind of process. The labels are set by the chart's monitors. */
export const selectProcess = (component: 'api' | 'worker' | 'operator'): string =>
  selectInstallation(`app_kubernetes_io_component="${component}"`);
