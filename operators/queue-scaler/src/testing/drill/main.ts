import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeHardware, publishTable, formatToday } from '@hearth/testkit/figures/publish.ts';
import { runDrill } from './drill.ts';
import { openKubernetes, type Kubernetes } from './kubernetes.ts';
import { namespace } from './manifests.ts';
import { renderReport, type Setting } from './report.ts';

/*
 * npm run drill:node -w operators/queue-scaler: runs the example manifests on the node of KUBECONFIG, which needs the
 * images `hearth-operator:0.0.0`, `hearth-drill-worker:0.0.0` and `valkey/valkey:9.1-alpine`.
 * The drill creates a namespace and deletes it at the end, unless `--keep` is given. `--json PATH` writes all results
 * to a file, and `--publish` writes the report to the developers' guide.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const printLine = (text: string): void => void process.stdout.write(`${text}\n`);

const describeSetting = async ({ get }: Kubernetes): Promise<Setting> => {
  const { items } = await get<{ readonly items: readonly Node[] }>('/api/v1/nodes');
  const { nodeInfo, images = [] } = items[0]?.status ?? {};
  const sizes = ['hearth-operator:', 'hearth-drill-worker:', 'node:24'].flatMap((part) =>
    images
      .filter(({ names }) => names?.some((name) => name.includes(part)))
      .map(({ sizeBytes }) => `\`${part.replace(':', '')}\` ${Math.round(sizeBytes / 1_000_000)} MB`),
  );
  return {
    date: formatToday(),
    machine: describeHardware(),
    versions: `Kubernetes ${nodeInfo?.kubeletVersion}, ${nodeInfo?.containerRuntimeVersion.replace('://', ' ')}`,
    images: sizes.join(', '),
  };
};

interface Node {
  readonly status: {
    readonly nodeInfo?: { readonly kubeletVersion: string; readonly containerRuntimeVersion: string };
    readonly images?: readonly { readonly names: readonly string[] | null; readonly sizeBytes: number }[];
  };
}

const kubernetes = await openKubernetes();
const seed = Number(values.seed);
printLine(`seed ${seed}`);
try {
  const report = await runDrill(kubernetes, seed);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify({ seed, ...report }, undefined, 2));
  const text = renderReport(report, await describeSetting(kubernetes));
  await publishTable('drill:node -w operators/queue-scaler', text, { publish: values.publish, page: 'operator.md' });
  for (const problem of report.problems) printLine(`PROBLEM: ${problem}`);
  printLine(report.problems.length === 0 ? 'drill passed' : `drill FAILED with seed ${seed}`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} finally {
  if (!values.keep) await kubernetes.kubectl(['delete', 'namespace', namespace, '--ignore-not-found']);
  kubernetes.close();
}
