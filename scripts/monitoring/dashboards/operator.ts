import { selectInstallation, type Dashboard } from './dashboard.ts';
import { processRow } from './processRow.ts';

const reconciles = 'hearth_queue_scaler_reconcile_duration_seconds';

export const operator: Dashboard = {
  name: 'operator',
  title: 'Hearth / operator',
  description: 'Queues, scaling decisions and reconciles of the operator.',
  rows: [
    {
      title: 'Scaling',
      panels: [
        {
          kind: 'lines',
          title: 'Replicas',
          description: 'Busy replicas have an active job and are not removed.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `max by (scaler, type) (hearth_queue_scaler_replicas${selectInstallation('type=~"current|busy"')})`,
              legend: '{{scaler}} {{type}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Recommended and desired replicas',
          description: 'Recommended: from the backlog. Desired: after limits, windows and steps.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `max by (scaler, type) (hearth_queue_scaler_replicas${selectInstallation('type=~"desired|recommended"')})`,
              legend: '{{scaler}} {{type}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Jobs by queue and state',
          description: 'Due delayed jobs are also counted as delayed.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `max by (queue, state) (hearth_queue_scaler_queue_jobs${selectInstallation()}) > 0 or max by (queue) (hearth_queue_scaler_queue_jobs${selectInstallation('state="waiting"')})`,
              legend: '{{queue}} {{state}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Scaling operations',
          unit: 'short',
          width: 12,
          queries: [
            {
              expr: `sum by (scaler, direction) (increase(hearth_queue_scaler_scalings_total${selectInstallation()}[$__rate_interval]))`,
              legend: '{{scaler}} {{direction}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Oldest waiting job',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: `max by (queue) (hearth_queue_scaler_queue_oldest_wait_seconds${selectInstallation()})`,
              legend: '{{queue}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Health',
      panels: [
        {
          kind: 'number',
          title: 'Leaders',
          unit: 'short',
          width: 6,
          goodFrom: 1,
          queries: [{ expr: `sum(hearth_queue_scaler_leader${selectInstallation()})`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Readable queues',
          unit: 'bool',
          width: 6,
          goodFrom: 1,
          queries: [
            { expr: `min by (scaler) (hearth_queue_scaler_queues_found${selectInstallation()})`, legend: '{{scaler}}' },
          ],
        },
        {
          kind: 'number',
          title: 'Existing Deployments',
          unit: 'bool',
          width: 6,
          goodFrom: 1,
          queries: [
            { expr: `min by (scaler) (hearth_queue_scaler_target_found${selectInstallation()})`, legend: '{{scaler}}' },
          ],
        },
        {
          kind: 'number',
          title: 'Paused queues',
          unit: 'short',
          width: 6,
          queries: [{ expr: `sum(hearth_queue_scaler_queue_paused${selectInstallation()})`, legend: '' }],
        },
      ],
    },
    {
      title: 'Reconcile loop',
      panels: [
        {
          kind: 'lines',
          title: 'Reconciles by result',
          unit: 'ops',
          width: 8,
          queries: [
            {
              expr: `sum by (result) (rate(${reconciles}_count${selectInstallation()}[$__rate_interval]))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Duration of a reconcile',
          unit: 's',
          width: 8,
          queries: [0.5, 0.95].map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (le) (rate(${reconciles}_bucket${selectInstallation()}[$__rate_interval])))`,
            legend: `p${quantile * 100}`,
          })),
        },
        {
          kind: 'lines',
          title: 'Responses of the API server',
          description: '0: no response.',
          unit: 'reqps',
          width: 8,
          queries: [
            {
              expr: `sum by (method, code) (rate(hearth_queue_scaler_rest_client_requests_total${selectInstallation()}[$__rate_interval]))`,
              legend: '{{method}} {{code}}',
            },
          ],
        },
      ],
    },
    processRow('operator'),
  ],
};
