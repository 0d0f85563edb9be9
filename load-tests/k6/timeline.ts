import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Gauges that `spike` samples in each poll, by metric name. */
const metricLines = { course_uploaded: 'uploaded', course_ready: 'ready', course_workers: 'workers' } as const;

type Line = (typeof metricLines)[keyof typeof metricLines];

/** Course of a burst: for each line, points of seconds since the first sample and a count. */
export type Timeline = Readonly<Record<Line, readonly (readonly [seconds: number, count: number])[]>>;

/**
 * Reads the samples from the JSON lines that k6 writes with `--out json`
 * (https://grafana.com/docs/k6/latest/results-output/real-time/json/).
 */
export const readTimeline = async (path: string): Promise<Timeline> => {
  const timeline: Record<Line, [number, number][]> = { uploaded: [], ready: [], workers: [] };
  let beginAt = Infinity;
  for await (const text of createInterface({ input: createReadStream(path) })) {
    if (!text.includes('"course_')) continue;
    const { metric, type, data } = JSON.parse(text) as Measurement;
    if (type !== 'Point' || !isLine(metric)) continue;
    const at = Date.parse(data.time) / 1_000;
    beginAt = Math.min(beginAt, at);
    timeline[metricLines[metric]].push([at, data.value]);
  }
  for (const points of Object.values(timeline)) for (const point of points) point[0] -= beginAt;
  return timeline;
};

interface Measurement {
  readonly type: string;
  readonly metric: string;
  readonly data: { readonly time: string; readonly value: number };
}

const isLine = (metric: string): metric is keyof typeof metricLines => Object.hasOwn(metricLines, metric);
