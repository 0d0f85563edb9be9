import { of, type Dashboard } from './dashboard.ts';
import { processRow } from './processRow.ts';

const reconciles = 'hearth_queue_scaler_reconcile_duration_seconds';

export const operator: Dashboard = {
  name: 'operator',
  title: 'Hearth / operator',
  description: 'What the operator sees, what it decides, and how its loop runs.',
  rows: [
    {
      title: 'Scaling',
      panels: [
        {
          kind: 'lines',
          title: 'Replicas',
          description: 'Busy ones have a job in hand and are not taken away.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `max by (scaler, type) (hearth_queue_scaler_replicas${of('type=~"current|busy"')})`,
              legend: '{{scaler}} {{type}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Replicas that are wanted',
          description:
            'Recommended is what the backlog asks for, desired what is left of it after bounds, windows and steps.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `max by (scaler, type) (hearth_queue_scaler_replicas${of('type=~"desired|recommended"')})`,
              legend: '{{scaler}} {{type}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Jobs of the queues',
          description: 'Delayed jobs that are due are counted as delayed ones too.',
          unit: 'short',
          width: 8,
          queries: [
            {
              expr: `max by (queue, state) (hearth_queue_scaler_queue_jobs${of()}) > 0 or max by (queue) (hearth_queue_scaler_queue_jobs${of('state="waiting"')})`,
              legend: '{{queue}} {{state}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Scale ups and scale downs',
          unit: 'short',
          width: 12,
          queries: [
            {
              expr: `sum by (scaler, direction) (increase(hearth_queue_scaler_scalings_total${of()}[$__rate_interval]))`,
              legend: '{{scaler}} {{direction}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Age of the next job',
          unit: 's',
          width: 12,
          queries: [
            { expr: `max by (queue) (hearth_queue_scaler_queue_oldest_wait_seconds${of()})`, legend: '{{queue}}' },
          ],
        },
      ],
    },
    {
      title: 'Is all well?',
      panels: [
        {
          kind: 'number',
          title: 'Leaders',
          unit: 'short',
          width: 6,
          goodFrom: 1,
          queries: [{ expr: `sum(hearth_queue_scaler_leader${of()})`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Queues that can be read',
          unit: 'bool',
          width: 6,
          goodFrom: 1,
          queries: [{ expr: `min by (scaler) (hearth_queue_scaler_queues_found${of()})`, legend: '{{scaler}}' }],
        },
        {
          kind: 'number',
          title: 'Deployments that are there',
          unit: 'bool',
          width: 6,
          goodFrom: 1,
          queries: [{ expr: `min by (scaler) (hearth_queue_scaler_target_found${of()})`, legend: '{{scaler}}' }],
        },
        {
          kind: 'number',
          title: 'Paused queues',
          unit: 'short',
          width: 6,
          queries: [{ expr: `sum(hearth_queue_scaler_queue_paused${of()})`, legend: '' }],
        },
      ],
    },
    {
      title: 'The loop',
      panels: [
        {
          kind: 'lines',
          title: 'Reconciles',
          unit: 'ops',
          width: 8,
          queries: [
            { expr: `sum by (result) (rate(${reconciles}_count${of()}[$__rate_interval]))`, legend: '{{result}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Time of a reconcile',
          unit: 's',
          width: 8,
          queries: [0.5, 0.95].map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (le) (rate(${reconciles}_bucket${of()}[$__rate_interval])))`,
            legend: `${quantile * 100} % within`,
          })),
        },
        {
          kind: 'lines',
          title: 'Answers of the API server',
          description: '0 stands for none.',
          unit: 'reqps',
          width: 8,
          queries: [
            {
              expr: `sum by (method, code) (rate(hearth_queue_scaler_rest_client_requests_total${of()}[$__rate_interval]))`,
              legend: '{{method}} {{code}}',
            },
          ],
        },
      ],
    },
    processRow('operator'),
  ],
};
