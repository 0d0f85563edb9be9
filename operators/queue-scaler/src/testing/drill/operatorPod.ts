import type { Kubernetes } from './kubernetes.ts';

/** Memory of the operator's container in MB, from its cgroup. */
export interface PodMemory {
  /** Without the inactive page cache. */
  readonly workingSet: number;
  readonly peak: number;
}

const bytesPerMegabyte = 1_000_000;

/** Supports cgroup v1 and v2. */
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

/** Returns privileges and files that the container should not have. */
export const findPrivileges = async ({ kubectl }: Kubernetes, pod: string): Promise<readonly string[]> => {
  const run = async (command: string): Promise<string> =>
    (await kubectl(['exec', pod, '--', 'sh', '-c', command])).trim();
  const problems: string[] = [];
  if ((await run('id -u')) === '0') problems.push('the container runs as root');
  if ((await run('touch /hearth/x /tmp/x 2>/dev/null && echo written || echo refused')) !== 'refused')
    problems.push('the root file system is writable');
  if (!/^CapEff:\s+0+$/m.test(await run('cat /proc/1/status'))) problems.push('the container has capabilities');
  const surplus = await run('ls node_modules | grep -cE "^(bullmq|typescript|yaml|fast-check)$" || true');
  if (surplus !== '0') problems.push('the image contains dependencies of the tests');
  const tests = await run('find operators -name "*.test.ts" | wc -l');
  if (tests !== '0') problems.push('the image contains tests');
  return problems;
};
