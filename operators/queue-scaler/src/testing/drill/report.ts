import type { DrillReport } from './drill.ts';
import type { Sample } from './recorder.ts';

/** The report as Markdown. */
export const renderReport = (
  { installSeconds, samples, marks, taken, runs, memory }: DrillReport,
  { date, machine, versions, images }: Setting,
): string => `${date}, ${machine}; ${versions}. Images on the node: ${images}.

From the first manifest to two QueueScalers that were ready it took ${installSeconds.toFixed(1)} s. The operator's container had
${memory.workingSet} MB in its working set at the end, as its cgroup counts it, and ${memory.peak} MB at most, with the files that it had read.

### What happened

|  s | asked | ready | waiting | active | done | |
| -: | ----: | ----: | ------: | -----: | ---: | - |
${renderSteps(samples, marks)}

### Pods that were told to end

|  s | pod | jobs in hand | ended after |
| -: | --- | -----------: | ----------: |
${taken
  .map(({ seconds, pod: { pod, inHand, endedAfterMs, hasLeft } }) => {
    const cells = [seconds.toFixed(1), `\`${pod.slice(-5)}\``, inHand, ending(endedAfterMs, hasLeft)];
    return `| ${cells.join(' | ')} |`;
  })
  .join('\n')}

### Jobs

| | jobs | begun once | begun again | brought to their end once | more than once, or never |
| - | -: | -: | -: | -: | -: |
${Object.entries(runs)
  .map(([part, jobs]) => {
    const once = jobs.filter(({ begun }) => begun === 1).length;
    const ended = jobs.filter(({ ended }) => ended === 1).length;
    return `| ${part} | ${jobs.length} | ${once} | ${jobs.length - once} | ${ended} | ${jobs.length - ended} |`;
  })
  .join('\n')}
`;

/** What it ran on, in words. */
export interface Setting {
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
  readonly images: string;
}

const ending = (ms: number | undefined, hasLeft: boolean): string =>
  ms === undefined ? 'killed' : `${(ms / 1_000).toFixed(1)} s${hasLeft ? ', leaving it to another' : ''}`;

/** A row for each change of the number of pods, and for each mark. */
const renderSteps = (samples: readonly Sample[], marks: DrillReport['marks']): string => {
  const isStep = ({ asked, ready }: Sample, index: number): boolean =>
    samples[index - 1]?.asked !== asked || samples[index - 1]?.ready !== ready;
  const marked = marks.map(({ seconds, what }) => {
    const sample = samples.findLast((each) => each.seconds <= seconds) ?? samples[0];
    return rowOf(sample, seconds, what);
  });
  return [...samples.filter(isStep).map((sample) => rowOf(sample, sample.seconds, '')), ...marked]
    .toSorted((a, b) => a.seconds - b.seconds)
    .map(({ text }) => text)
    .join('\n');
};

const rowOf = (sample: Sample | undefined, seconds: number, what: string) => {
  const { asked = 0, ready = 0, waiting = 0, active = 0, done = 0 } = sample ?? {};
  return { seconds, text: `| ${[seconds.toFixed(1), asked, ready, waiting, active, done, what].join(' | ')} |` };
};
