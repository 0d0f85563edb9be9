import { selectInstallation, type Dashboard } from './dashboard.ts';

const requests = 'hearth_http_request_duration_seconds_count';
const excludeProbes = 'route!~"/livez|/readyz"';
const onlyReads = 'method="GET"';
const onlyFastRoutes = 'route!~"/livez|/readyz|/v1/events|.*/files/.*"';

export const overview: Dashboard = {
  name: 'overview',
  title: 'Hearth / overview',
  description: 'Health and activity of the library.',
  rows: [
    {
      title: 'Health',
      panels: [
        {
          kind: 'number',
          title: 'Successful requests',
          description:
            'In the selected time range. Objective: 99.5 % in 30 days. Excludes probes and 507 (full disk or quota).',
          unit: 'percentunit',
          width: 6,
          goodFrom: 0.995,
          queries: [
            {
              expr: `1 - (sum(increase(${requests}${selectInstallation(excludeProbes, 'status=~"5.."', 'status!="507"')}[$__range])) or vector(0)) / sum(increase(${requests}${selectInstallation(excludeProbes)}[$__range]))`,
              legend: '',
            },
          ],
        },
        {
          kind: 'number',
          title: 'Reads within 0.5 s',
          description:
            'In the selected time range. Objective: 99 % in 30 days. Excludes files, uploads and the event stream.',
          unit: 'percentunit',
          width: 6,
          goodFrom: 0.99,
          queries: [
            {
              expr: `sum(increase(hearth_http_request_duration_seconds_bucket${selectInstallation(onlyReads, onlyFastRoutes, 'le="0.5"')}[$__range])) / sum(increase(${requests}${selectInstallation(onlyReads, onlyFastRoutes)}[$__range]))`,
              legend: '',
            },
          ],
        },
        {
          kind: 'number',
          title: 'Reachable back ends',
          unit: 'bool',
          width: 6,
          goodFrom: 1,
          queries: [{ expr: `max by (back_end) (hearth_back_end_up${selectInstallation()})`, legend: '{{back_end}}' }],
        },
        {
          kind: 'number',
          title: 'Firing alerts',
          unit: 'short',
          width: 6,
          badFrom: 1,
          queries: [
            {
              expr: `count(ALERTS${selectInstallation('alertname=~"Hearth.*"', 'alertstate="firing"')}) or vector(0)`,
              legend: '',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Failed requests, share of all',
          description: 'Alerts fire at 7.2 % over one hour and 3 % over six hours.',
          unit: 'percentunit',
          width: 12,
          queries: [
            { expr: `namespace:hearth_api_errors:ratio_rate5m${selectInstallation()}`, legend: '5 minutes' },
            { expr: `namespace:hearth_api_errors:ratio_rate1h${selectInstallation()}`, legend: '1 hour' },
            { expr: `namespace:hearth_api_errors:ratio_rate6h${selectInstallation()}`, legend: '6 hours' },
            { expr: 'vector(0.005)', legend: 'objective' },
          ],
        },
        {
          kind: 'lines',
          title: 'Slow reads, share of all',
          description: 'Alerts fire at 14.4 % over one hour and 6 % over six hours.',
          unit: 'percentunit',
          width: 12,
          queries: [
            { expr: `namespace:hearth_api_slow_reads:ratio_rate5m${selectInstallation()}`, legend: '5 minutes' },
            { expr: `namespace:hearth_api_slow_reads:ratio_rate1h${selectInstallation()}`, legend: '1 hour' },
            { expr: `namespace:hearth_api_slow_reads:ratio_rate6h${selectInstallation()}`, legend: '6 hours' },
            { expr: 'vector(0.01)', legend: 'objective' },
          ],
        },
      ],
    },
    {
      title: 'Activity',
      panels: [
        {
          kind: 'lines',
          title: 'Request rate',
          unit: 'reqps',
          width: 8,
          queries: [{ expr: `namespace:hearth_api_requests:rate5m${selectInstallation()}`, legend: 'requests' }],
        },
        {
          kind: 'lines',
          title: 'Upload throughput',
          unit: 'Bps',
          width: 8,
          queries: [
            {
              expr: `sum(rate(hearth_uploaded_bytes_total${selectInstallation()}[$__rate_interval]))`,
              legend: 'originals',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Finished component runs',
          unit: 'ops',
          width: 8,
          queries: [
            {
              expr: `sum by (component) (rate(hearth_component_runs_total${selectInstallation('outcome="DONE"')}[$__rate_interval]))`,
              legend: '{{component}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Waiting and active jobs',
          unit: 'short',
          width: 8,
          queries: [{ expr: `max by (pool) (hearth_queue_depth${selectInstallation()})`, legend: '{{pool}}' }],
        },
        {
          kind: 'lines',
          title: 'Workers by pool',
          unit: 'short',
          width: 8,
          queries: [{ expr: `count by (pool) (hearth_worker_slots${selectInstallation()})`, legend: '{{pool}}' }],
        },
        {
          kind: 'lines',
          title: 'Free space above the reserve',
          description: 'At 0, uploads are rejected and processing waits. S3 stores do not report free space.',
          unit: 'bytes',
          width: 8,
          queries: [
            {
              expr: `min by (place) (hearth_disk_free_bytes${selectInstallation()} - hearth_disk_reserve_bytes${selectInstallation()})`,
              legend: '{{place}}',
            },
          ],
        },
        {
          kind: 'number',
          title: 'Originals without an item',
          unit: 'short',
          width: 6,
          badFrom: 1,
          queries: [{ expr: `max(hearth_orphans${selectInstallation()})`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Size of orphaned originals',
          unit: 'bytes',
          width: 6,
          queries: [{ expr: `max(hearth_orphan_bytes${selectInstallation()})`, legend: '' }],
        },
        {
          kind: 'number',
          title: 'Library jobs by status',
          unit: 'short',
          width: 6,
          queries: [{ expr: `max by (status) (hearth_jobs${selectInstallation()})`, legend: '{{status}}' }],
        },
        {
          kind: 'number',
          title: 'Reserved disk space of the database',
          description: 'With npm start: released when other programs fill the disk.',
          unit: 'bytes',
          width: 6,
          queries: [{ expr: `max(hearth_disk_ballast_bytes${selectInstallation()})`, legend: '' }],
        },
      ],
    },
  ],
};
