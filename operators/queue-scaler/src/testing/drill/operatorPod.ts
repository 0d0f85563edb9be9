import type { Kubernetes } from './kubernetes.ts';

/** Megabytes of the operator's container, as its cgroup counts them. */
export interface PodMemory {
  /** Without files that were read and could be dropped. */
  readonly workingSet: number;
  readonly peak: number;
}

const bytesPerMegabyte = 1_000_000;

/** By cgroup v1, else v2. */
const script = `
cd /sys/fs/cgroup/memory 2>/dev/null && cat memory.usage_in_bytes memory.max_usage_in_bytes memory.stat ||
  { cd /sys/fs/cgroup && cat memory.current memory.peak memory.stat; }`;

export const measurePod = async ({ kubectl }: Kubernetes, pod: string): Promise<PodMemory> => {
  const text = await kubectl(['exec', pod, '--', 'sh', '-c', script]);
  const [usage = '', peak = ''] = text.split('\n');
  const inactive = /^(?:total_)?inactive_file (\d+)$/m.exec(text)?.[1];
  return {
    workingSet: Math.round((Number(usage) - Number(inactive)) / bytesPerMegabyte),
    peak: Math.round(Number(peak) / bytesPerMegabyte),
  };
};

/** What of the container's own limits does not hold; empty where all do. */
export const findLoopholes = async ({ kubectl }: Kubernetes, pod: string): Promise<readonly string[]> => {
  const says = async (what: string): Promise<string> => (await kubectl(['exec', pod, '--', 'sh', '-c', what])).trim();
  const loopholes: string[] = [];
  if ((await says('id -u')) === '0') loopholes.push('it runs as root');
  if ((await says('touch /app/x /tmp/x 2>/dev/null && echo written || echo refused')) !== 'refused')
    loopholes.push('its root file system can be written');
  if (!/^CapEff:\s+0+$/m.test(await says('cat /proc/1/status'))) loopholes.push('it has capabilities');
  const surplus = await says('ls node_modules | grep -cE "^(bullmq|typescript|yaml|fast-check)$" || true');
  if (surplus !== '0') loopholes.push('it has dependencies that only its tests need');
  const tests = await says('find operators -name "*.test.ts" | wc -l');
  if (tests !== '0') loopholes.push('it has tests');
  return loopholes;
};
