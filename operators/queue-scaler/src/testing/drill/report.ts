import type { DrillReport } from './drill.ts';
import type { Sample } from './recorder.ts';

/** Renders the report as Markdown. */
export const renderReport = (
  { installSeconds, samples, marks, terminated, runs, memory }: DrillReport,
  { date, machine, versions, images }: Setting,
): string => `${date}, ${machine}; ${versions}. Images on the node: ${images}.

Two QueueScalers were ready ${installSeconds.toFixed(1)} s after the first manifest. According to its cgroup, the operator's container used
${memory.workingSet} MB at the end, and ${memory.peak} MB at most, including the page cache.

## Timeline

The counts are from the last sample before each event.

|  s | desired | ready | waiting | active | done | event |
| -: | ----: | ----: | ------: | -----: | ---: | - |
${renderSteps(samples, marks)}

## Terminated pods

${describeIdle(terminated)}

${terminated.filter(isBusy).map(renderPod).join('\n')}

## Jobs

| | jobs | started once | started again | completed once | more than once, or never |
| - | -: | -: | -: | -: | -: |
${Object.entries(runs)
  .map(([part, jobs]) => {
    const once = jobs.filter(({ begun }) => begun === 1).length;
    const ended = jobs.filter(({ ended }) => ended === 1).length;
    return `| ${part} | ${jobs.length} | ${once} | ${jobs.length - once} | ${ended} | ${jobs.length - ended} |`;
  })
  .join('\n')}
`;

/** Environment of the drill. */
export interface Setting {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly images: string;
}

type Termination = DrillReport['terminated'][number];

const isBusy = ({ pod: { activeJobs } }: Termination): boolean => activeJobs > 0;

/** Describes the pods that had no job when they were terminated. */
const describeIdle = (terminated: DrillReport['terminated']): string => {
  const idle = terminated.filter((each) => !isBusy(each));
  const longest = Math.max(0, ...idle.map(({ pod: { endedAfterMs } }) => endedAfterMs ?? 0));
  return `${idle.length} idle pods each ended within ${(longest / 1_000).toFixed(2)} s. Pods with jobs, deleted or killed by the drill:`;
};

const renderPod = ({ seconds, pod: { pod, activeJobs, endedAfterMs, hasGivenUp } }: Termination): string => {
  return `- \`${pod.slice(-5)}\` at ${seconds.toFixed(1)} s, active jobs ${activeJobs}: ${describeEnding(endedAfterMs, hasGivenUp)}`;
};

const describeEnding = (ms: number | undefined, hasGivenUp: boolean): string =>
  ms === undefined ? 'killed' : `${(ms / 1_000).toFixed(1)} s${hasGivenUp ? ', job left to another worker' : ''}`;

/** Renders a row for each event, with the pods and jobs at that time. */
const renderSteps = (samples: readonly Sample[], marks: DrillReport['marks']): string =>
  marks
    .map(({ seconds, what }) => {
      const sample = samples.findLast((each) => each.seconds <= seconds) ?? samples[0];
      const { desired = 0, ready = 0, waiting = 0, active = 0, done = 0 } = sample ?? {};
      return `| ${[seconds.toFixed(1), desired, ready, waiting, active, done, what].join(' | ')} |`;
    })
    .join('\n');
