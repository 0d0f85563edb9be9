import { selectProcess, type Row } from './dashboard.ts';

/** Resource usage of one kind of process. */
export const processRow = (component: 'api' | 'worker' | 'operator'): Row => ({
  title: 'Processes',
  panels: [
    {
      kind: 'lines',
      title: 'CPU',
      description: 'Cores in use. Workers: without decoders, which are separate processes.',
      unit: 'short',
      width: 6,
      queries: [
        { expr: `rate(process_cpu_seconds_total${selectProcess(component)}[$__rate_interval])`, legend: '{{pod}}' },
      ],
    },
    {
      kind: 'lines',
      title: 'Memory',
      unit: 'bytes',
      width: 6,
      queries: [
        { expr: `process_resident_memory_bytes${selectProcess(component)}`, legend: '{{pod}}' },
        { expr: `nodejs_heap_size_used_bytes${selectProcess(component)}`, legend: 'heap {{pod}}' },
      ],
    },
    {
      kind: 'lines',
      title: 'Event loop delay',
      description: 'p99. More than 0.1 s slows down every request.',
      unit: 's',
      width: 6,
      queries: [{ expr: `nodejs_eventloop_lag_p99_seconds${selectProcess(component)}`, legend: '{{pod}}' }],
    },
    {
      kind: 'lines',
      title: 'Uptime',
      unit: 's',
      width: 6,
      queries: [{ expr: `time() - process_start_time_seconds${selectProcess(component)}`, legend: '{{pod}}' }],
    },
  ],
});
