import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  type Threshold,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as NumberBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as LinesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Dashboard, Panel } from './dashboards/dashboard.ts';

/** Renders the JSON of a Grafana dashboard. Data source and namespace are variables that the user selects. */
export const renderDashboard = ({ name, title, description, rows }: Dashboard): string => {
  const builder = new DashboardBuilder(title)
    .uid(`hearth-${name}`)
    .description(description)
    .tags(['hearth'])
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('namespace')
        .label('Namespace')
        .datasource(datasource)
        .query('label_values(up{app_kubernetes_io_name="hearth"}, namespace)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .includeAll(true)
        // `.*` also matches targets without a namespace, in a Prometheus outside Kubernetes.
        .allValue('.*'),
    );
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title));
    for (const panel of row.panels) builder.withPanel(describePanel(panel));
  }
  return `${JSON.stringify(builder.build(), undefined, 2)}\n`;
};

const datasource = { type: 'prometheus', uid: '${datasource}' };

const panelHeight = { lines: 8, number: 4 } as const;

const describePanel = (panel: Panel): LinesBuilder | NumberBuilder => {
  const { kind, title, description, unit, width, queries } = panel;
  const builder = kind === 'lines' ? describeLines() : describeNumber(panel);
  builder.title(title).unit(unit).datasource(datasource).span(width).height(panelHeight[kind]);
  if (description !== undefined) builder.description(description);
  for (const [index, { expr, legend }] of queries.entries()) {
    const query = new DataqueryBuilder().refId(String.fromCodePoint(65 + index)).expr(expr);
    if (legend !== '') query.legendFormat(legend);
    builder.withTarget(kind === 'number' ? query.instant() : query);
  }
  return builder;
};

const describeLines = (): LinesBuilder =>
  new LinesBuilder().min(0).fillOpacity(8).legend(new VizLegendOptionsBuilder().showLegend(true));

const describeNumber = ({ goodFrom, badFrom }: Panel): NumberBuilder => {
  const steps: Threshold[] =
    goodFrom === undefined
      ? [{ value: null, color: badFrom === undefined ? 'text' : 'green' }]
      : [
          { value: null, color: 'red' },
          { value: goodFrom, color: 'green' },
        ];
  if (badFrom !== undefined) steps.push({ value: badFrom, color: 'red' });
  return new NumberBuilder().thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps));
};
