import { parseArgs } from 'node:util';
import { describeHardware, publishTable, row, today } from '../../../../load-tests/harness/publish.ts';
import { missingControlPlane } from './controlPlanePrograms.ts';
import { measureMany, type Costs } from './measureMany.ts';

/*
 * npm run bench:many -w operators/queue-scaler: what 5 and 200 QueueScalers cost on a real API server, whose programs are in the folder that
 * HEARTH_KUBERNETES_BIN names. `--publish` puts the table into the developers' guide.
 */
const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });

/** What each row is called, what is wanted of five, and what was measured. */
const rows: readonly (readonly [string, string, (costs: Costs) => string])[] = [
  ['memory, resident', '≤ 160 MB', ({ megabytes }) => `${megabytes} MB`],
  ['memory, at most', '', ({ peakMegabytes }) => `${peakMegabytes} MB`],
  ['turns until each had its pod', '', ({ atWork }) => `${atWork.count}`],
  ['95 % of them within', '', ({ atWork }) => `${atWork.p95} s`],
  ['turns in 30 s at rest', '', ({ atRest }) => `${atRest.count}`],
  ['95 % of them within', '', ({ atRest }) => `${atRest.p95} s`],
  ['requests per second at rest', '≤ 2', ({ requestsPerSecond }) => `${requestsPerSecond}`],
  ['of them writes, in 30 s', '0', ({ writes }) => `${writes}`],
  ['processor at rest', '', ({ cpuPercent }) => `${cpuPercent} %`],
  ['`/livez` after 50 s of a frozen Redis', '200', ({ livezWithoutRedis }) => `${livezWithoutRedis}`],
  ['Deployments that kept their pods meanwhile', 'all', ({ heldWithoutRedis }) => `${heldWithoutRedis}`],
];

const missing = missingControlPlane();
if (missing !== false) throw new Error(missing);
const all = [await measureMany(5), await measureMany(200)];
const text = [
  `${today()}, ${describeHardware()}, Node ${process.versions.node}; the control plane and Redis on the same machine.`,
  '',
  row('', 'wanted of 5', ...all.map(({ count }) => `${count}`)),
  row('-', '-:', ...all.map(() => '-:')),
  ...rows.map(([name, wanted, read]) => row(name, wanted, ...all.map(read))),
].join('\n');
await publishTable('bench:many -w operators/queue-scaler', text, { publish: values.publish, page: 'operator.md' });
