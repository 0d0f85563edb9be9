import { selectInstallation, type Dashboard } from './dashboard.ts';
import { processRow } from './processRow.ts';

const runs = 'hearth_component_runs_total';

export const queues: Dashboard = {
  name: 'queues',
  title: 'Hearth / queues and workers',
  description: 'Waiting jobs, workers, durations and outcomes.',
  rows: [
    {
      title: 'Queues',
      panels: [
        {
          kind: 'lines',
          title: 'Waiting and active jobs',
          unit: 'short',
          width: 8,
          queries: [{ expr: `max by (pool) (hearth_queue_depth${selectInstallation()})`, legend: '{{pool}}' }],
        },
        {
          kind: 'lines',
          title: 'Age of the next job',
          description: 'As measured by the operator.',
          unit: 's',
          width: 8,
          queries: [
            {
              expr: `max by (queue) (hearth_queue_scaler_queue_oldest_wait_seconds${selectInstallation()})`,
              legend: '{{queue}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Items processed by library jobs',
          unit: 'ops',
          width: 8,
          queries: [
            {
              expr: `sum by (outcome) (rate(hearth_job_items_total${selectInstallation()}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Workers',
      panels: [
        {
          kind: 'lines',
          title: 'Workers',
          unit: 'short',
          width: 8,
          queries: [{ expr: `count by (pool) (hearth_worker_slots${selectInstallation()})`, legend: '{{pool}}' }],
        },
        {
          kind: 'lines',
          title: 'Active items and slots',
          description: 'Photos have one extra slot.',
          unit: 'short',
          width: 8,
          queries: [
            { expr: `sum by (pool) (hearth_worker_slots_used${selectInstallation()})`, legend: '{{pool}}' },
            { expr: `sum by (pool) (hearth_worker_slots${selectInstallation()})`, legend: 'slots {{pool}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Sandbox of the decoders',
          description: 'Workers by sandbox. With none, a malicious file can act as the worker.',
          unit: 'short',
          width: 8,
          queries: [{ expr: `sum by (kind) (hearth_decoder_confinement${selectInstallation()})`, legend: '{{kind}}' }],
        },
      ],
    },
    {
      title: 'Component runs',
      panels: [
        {
          kind: 'lines',
          title: 'Runs by component',
          unit: 'ops',
          width: 12,
          queries: [
            {
              expr: `sum by (component) (rate(${runs}${selectInstallation()}[$__rate_interval]))`,
              legend: '{{component}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Runs by outcome',
          unit: 'ops',
          width: 12,
          queries: [
            {
              expr: `sum by (outcome) (rate(${runs}${selectInstallation()}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration of a run, p95',
          unit: 's',
          width: 8,
          queries: [
            {
              expr: `histogram_quantile(0.95, sum by (le, component) (rate(hearth_component_run_duration_seconds_bucket${selectInstallation()}[$__rate_interval])))`,
              legend: '{{component}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration of a run, average',
          unit: 's',
          width: 8,
          queries: [
            {
              expr: `sum by (component) (rate(hearth_component_run_duration_seconds_sum${selectInstallation()}[$__rate_interval])) / sum by (component) (rate(hearth_component_run_duration_seconds_count${selectInstallation()}[$__rate_interval]))`,
              legend: '{{component}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Runs that failed permanently',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `sum by (component) (increase(${runs}${selectInstallation('outcome="FAILED"')}[$__rate_interval]))`,
              legend: '{{component}}',
            },
          ],
        },
      ],
    },
    processRow('worker'),
  ],
};
