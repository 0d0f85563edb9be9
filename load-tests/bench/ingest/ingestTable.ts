import { sumCosts } from '@hearth/testkit/figures/cost.ts';
import { describeMachine, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { backEndKinds, type TargetName } from './benchTarget.ts';
import type { Baseline } from './floor.ts';
import type { IngestResult } from './measureIngest.ts';

/** Bounds of an import: CPU and throughput relative to the sharp baseline, and peak memory. */
export const bounds = { cpuRatio: 1.4, rateRatio: 0.65, peakMegabytes: 600 } as const;

/** Import results relative to the baselines before and after it. */
export interface IngestComparison {
  readonly mode: TargetName;
  readonly ingested: IngestResult;
  readonly baseline: { readonly cpuSecondsPerPhoto: number; readonly photosPerSecond: number };
  readonly cpuSecondsPerPhoto: number;
  /** CPU of all processes, divided by the baseline with Hearth's encoder settings. */
  readonly tunedCpuRatio: number;
  /** CPU of all processes including the back ends, divided by the baseline. */
  readonly cpuRatio: number;
  /** CPU of Hearth's own processes without the back ends, divided by the baseline. */
  readonly ownCpuRatio: number;
  readonly photosPerSecond: number;
  /** Photos per second, divided by the baseline. */
  readonly rateRatio: number;
  /** Messages for exceeded bounds. The bounds apply to embedded mode. */
  readonly missed: readonly string[];
}

export const compareWithBaseline = (
  mode: TargetName,
  ingested: IngestResult,
  baselines: readonly Baseline[],
): IngestComparison => {
  const photos = baselines.reduce((sum, baseline) => sum + baseline.photos, 0);
  const baseline = {
    cpuSecondsPerPhoto: baselines.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / photos,
    photosPerSecond: photos / baselines.reduce((sum, { seconds }) => sum + seconds, 0),
  };
  const tuned =
    baselines.reduce((sum, { tunedCpuSecondsPerPhoto }) => sum + tunedCpuSecondsPerPhoto, 0) / baselines.length;
  const cpuSeconds = sumCosts(ingested.cpuByKind);
  const backEndSeconds = backEndKinds.reduce((sum, kind) => sum + (ingested.cpuByKind[kind] ?? 0), 0);
  const perPhoto = (seconds: number): number => seconds / ingested.photos;
  const photosPerSecond = ingested.photos / ingested.seconds;
  const cpuRatio = perPhoto(cpuSeconds) / baseline.cpuSecondsPerPhoto;
  const rateRatio = photosPerSecond / baseline.photosPerSecond;
  const missed = [
    cpuRatio > bounds.cpuRatio &&
      `${mode}: ${cpuRatio.toFixed(2)} × the CPU of the baseline, limit: ${bounds.cpuRatio} ×`,
    rateRatio < bounds.rateRatio &&
      `${mode}: ${rateRatio.toFixed(2)} × the speed of the baseline, target: ${bounds.rateRatio} ×`,
    ingested.peakMegabytes > bounds.peakMegabytes &&
      `${mode}: ${ingested.peakMegabytes.toFixed(0)} MB peak memory, limit: ${bounds.peakMegabytes} MB`,
  ].filter((each) => each !== false);
  return {
    mode,
    ingested,
    baseline,
    cpuSecondsPerPhoto: perPhoto(cpuSeconds),
    cpuRatio,
    tunedCpuRatio: perPhoto(cpuSeconds) / tuned,
    ownCpuRatio: perPhoto(cpuSeconds - backEndSeconds) / baseline.cpuSecondsPerPhoto,
    photosPerSecond,
    rateRatio,
    missed: mode === 'embedded' ? missed : [],
  };
};

/** Renders two Markdown tables: the bounds, and CPU and memory by process kind. */
export const ingestTable = (results: readonly IngestComparison[], baselines: readonly Baseline[]): string => {
  const cpuPerPhoto = baselines.map(({ cpuSeconds, photos }) => cpuSeconds / photos);
  const drift = Math.max(...cpuPerPhoto) / Math.min(...cpuPerPhoto) - 1;
  const kinds = [...new Set(results.flatMap(({ ingested }) => Object.keys(ingested.cpuByKind)))];
  return [
    `${formatToday()}: ${results[0]?.ingested.photos ?? 0} JPEGs of 12 megapixels; ${describeMachine()}. The ${baselines.length} measurements of bare sharp differ by ${percent(drift)}.`,
    renderRow('', 'target', ...results.map(({ mode }) => mode)),
    renderRow('---', ...['', ...results].map(() => '---:')),
    renderRow('CPU per photo: bare sharp', '', ...results.map(({ baseline }) => ms(baseline.cpuSecondsPerPhoto))),
    renderRow('CPU per photo: all processes', '', ...results.map((each) => ms(each.cpuSecondsPerPhoto))),
    renderRow('multiple of bare sharp', `≤ ${bounds.cpuRatio} ×`, ...results.map(({ cpuRatio }) => times(cpuRatio))),
    renderRow(
      'multiple of bare sharp with our encoder settings',
      '',
      ...results.map((each) => times(each.tunedCpuRatio)),
    ),
    renderRow('multiple without PostgreSQL, Redis, S3', '', ...results.map(({ ownCpuRatio }) => times(ownCpuRatio))),
    renderRow(
      'photos per second: bare sharp',
      '',
      ...results.map(({ baseline }) => baseline.photosPerSecond.toFixed(1)),
    ),
    renderRow('photos per second: end to end', '', ...results.map((each) => each.photosPerSecond.toFixed(1))),
    renderRow('share of bare sharp', `≥ ${bounds.rateRatio} ×`, ...results.map(({ rateRatio }) => times(rateRatio))),
    renderRow(
      'peak memory (PSS)',
      `≤ ${bounds.peakMegabytes} MB`,
      ...results.map(({ ingested }) => mb(ingested.peakMegabytes)),
    ),
    '',
    'By process: CPU per photo, and memory at the peak:',
    '',
    renderRow('', ...results.flatMap(({ mode }) => [`${mode}: CPU`, 'memory'])),
    renderRow('---', ...results.flatMap(() => ['---:', '---:'])),
    ...kinds.map((kind) =>
      renderRow(
        kind,
        ...results.flatMap(({ ingested: { cpuByKind, photos, peakMegabytesByKind } }) =>
          kind in cpuByKind ? [ms((cpuByKind[kind] ?? 0) / photos), mb(peakMegabytesByKind[kind] ?? 0)] : ['', ''],
        ),
      ),
    ),
    renderRow(
      'the uploading client, not counted',
      ...results.flatMap((each) => [ms(each.ingested.clientCpuSeconds / each.ingested.photos), '']),
    ),
  ]
    .join('\n')
    .replace('\n|  | target', '\n\n|  | target');
};

const ms = (seconds: number): string => `${(seconds * 1_000).toFixed(1)} ms`;
const mb = (megabytes: number): string => `${megabytes.toFixed(0)} MB`;
const times = (ratio: number): string => `${ratio.toFixed(2)} ×`;
const percent = (ratio: number): string => `${(ratio * 100).toFixed(0)} %`;
