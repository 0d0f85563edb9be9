import { parseArgs } from 'node:util';
import { describeHardware, publishTable, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { missingControlPlane } from './controlPlanePrograms.ts';
import { measureMany, type Costs } from './measureMany.ts';

/*
 * npm run bench:many -w operators/queue-scaler: measures 5 and 200 QueueScalers on a real API server with the programs
 * in HEARTH_KUBERNETES_BIN. `--publish` writes the table to the developers' guide.
 */
const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });

/** Rows: name, target for five QueueScalers, and measured value. */
const rows: readonly (readonly [string, string, (costs: Costs) => string])[] = [
  ['memory, resident', '≤ 160 MB', ({ megabytes }) => `${megabytes} MB`],
  ['memory, peak', '', ({ peakMegabytes }) => `${peakMegabytes} MB`],
  ['reconciles until all pods exist', '', ({ scalingReconciles }) => `${scalingReconciles.count}`],
  ['reconcile duration, p95', '', ({ scalingReconciles }) => `${scalingReconciles.p95} s`],
  ['idle: reconciles in 30 s', '', ({ idleReconciles }) => `${idleReconciles.count}`],
  ['idle: reconcile duration, p95', '', ({ idleReconciles }) => `${idleReconciles.p95} s`],
  ['idle: requests per second', '≤ 2', ({ requestsPerSecond }) => `${requestsPerSecond}`],
  ['idle: writes in 30 s', '0', ({ writes }) => `${writes}`],
  ['idle: CPU', '', ({ cpuPercent }) => `${cpuPercent} %`],
  ['Redis frozen for 50 s: `/livez`', '200', ({ livezWithoutRedis }) => `${livezWithoutRedis}`],
  ['Redis frozen for 50 s: Deployments that kept their pods', 'all', ({ heldWithoutRedis }) => `${heldWithoutRedis}`],
];

const missing = missingControlPlane();
if (missing !== false) throw new Error(missing);
const results = [await measureMany(5), await measureMany(200)];
const text = [
  `${formatToday()}, ${describeHardware()}, Node ${process.versions.node}; the control plane and Redis on the same machine.`,
  '',
  renderRow('', 'target for 5', ...results.map(({ count }) => `${count}`)),
  renderRow('-', '-:', ...results.map(() => '-:')),
  ...rows.map(([name, target, read]) => renderRow(name, target, ...results.map(read))),
].join('\n');
await publishTable('bench:many -w operators/queue-scaler', text, { publish: values.publish, page: 'operator.md' });
