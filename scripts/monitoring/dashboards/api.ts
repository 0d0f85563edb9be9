import { selectInstallation, selectProcess, type Dashboard } from './dashboard.ts';
import { processRow } from './processRow.ts';

const count = 'hearth_http_request_duration_seconds_count';
const bucket = 'hearth_http_request_duration_seconds_bucket';
const excludeStream = 'route!~"/livez|/readyz|/v1/events"';

export const api: Dashboard = {
  name: 'api',
  title: 'Hearth / API',
  description: 'Responses, latency and resource use of the API.',
  rows: [
    {
      title: 'Responses',
      panels: [
        {
          kind: 'lines',
          title: 'Responses by status',
          unit: 'reqps',
          width: 8,
          queries: [
            { expr: `sum by (status) (rate(${count}${selectInstallation()}[$__rate_interval]))`, legend: '{{status}}' },
          ],
        },
        {
          kind: 'lines',
          title: 'Requests by route',
          description: 'Top 10.',
          unit: 'reqps',
          width: 8,
          queries: [
            {
              expr: `topk(10, sum by (method, route) (rate(${count}${selectInstallation()}[$__rate_interval])))`,
              legend: '{{method}} {{route}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Errors by route',
          description: 'Server errors: 500, 503, and 507 for a full disk or quota. Should be 0.',
          unit: 'reqps',
          width: 8,
          queries: [
            {
              expr: `sum by (method, route, status) (rate(${count}${selectInstallation('status=~"5.."')}[$__rate_interval])) > 0 or 0 * sum(${count}${selectInstallation()})`,
              legend: '{{status}} {{method}} {{route}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Latency',
      panels: [
        {
          kind: 'lines',
          title: 'Latency of all requests',
          description: 'Excludes the event stream, which never ends.',
          unit: 's',
          width: 12,
          queries: [0.5, 0.95, 0.99].map((quantile) => ({
            expr: `histogram_quantile(${quantile}, sum by (le) (rate(${bucket}${selectInstallation(excludeStream)}[$__rate_interval])))`,
            legend: `p${quantile * 100}`,
          })),
        },
        {
          kind: 'lines',
          title: 'Latency by route, p95',
          description: 'Top 10.',
          unit: 's',
          width: 12,
          queries: [
            {
              expr: `topk(10, histogram_quantile(0.95, sum by (le, method, route) (rate(${bucket}${selectInstallation(excludeStream)}[$__rate_interval]))))`,
              legend: '{{method}} {{route}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Uploads, housekeeping and storage',
      panels: [
        {
          kind: 'lines',
          title: 'Upload throughput',
          unit: 'Bps',
          width: 6,
          queries: [
            {
              expr: `sum(rate(hearth_uploaded_bytes_total${selectInstallation()}[$__rate_interval]))`,
              legend: 'originals',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Hashed passwords',
          description: 'A high rate is an attack, or a client that signs in for each request.',
          unit: 'ops',
          width: 6,
          queries: [
            {
              expr: `sum(rate(hearth_password_hashes_total${selectInstallation()}[$__rate_interval]))`,
              legend: 'hashes',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Housekeeping leaders',
          description: 'One leader per lane.',
          unit: 'short',
          width: 6,
          queries: [{ expr: `hearth_housekeeper_leader${selectInstallation()}`, legend: '{{lane}} {{pod}}' }],
        },
        {
          kind: 'lines',
          title: 'Consecutive failures of housekeeping tasks',
          description: 'Should be 0.',
          unit: 'short',
          width: 6,
          queries: [
            {
              expr: `max by (task) (hearth_housekeeping_consecutive_failures${selectInstallation()}) > 0 or 0 * max(hearth_housekeeper_leader${selectInstallation()})`,
              legend: '{{task}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Reachable back ends by process',
          unit: 'short',
          width: 12,
          queries: [
            {
              expr: `hearth_back_end_up${selectProcess('api')}`,
              legend: '{{back_end}} {{pod}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Free space and reserve',
          description: 'Disks of API and workers. S3 stores do not report free space.',
          unit: 'bytes',
          width: 12,
          queries: [
            { expr: `min by (place) (hearth_disk_free_bytes${selectInstallation()})`, legend: '{{place}}' },
            { expr: `max by (place) (hearth_disk_reserve_bytes${selectInstallation()})`, legend: 'reserve {{place}}' },
          ],
        },
      ],
    },
    processRow('api'),
  ],
};
