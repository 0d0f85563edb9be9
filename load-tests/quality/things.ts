import { renderRow } from '@hearth/testkit/figures/publish.ts';
import { runMeasurement, formatShare, type Subject } from './subject.ts';

/** Required precision on photos outside the training data, and the maximum CPU per picture on one thread. */
const bounds = { precision: 0.85, msMedian: 20 } as const;

interface Judged {
  readonly reported: number;
  readonly expected: number;
  readonly precision: number;
  readonly recall: number;
  readonly wrong: readonly string[];
}

/** Camera and phone photos, and ImageNet samples, which are training data of one of the models. */
interface BothSets {
  readonly photos: Judged;
  readonly imageNet: Judged;
}

/** Output of `load-tests/quality/measure/measureThings.ts`. */
interface MeasuredThings {
  readonly pictures: number;
  readonly thresholds: { readonly scene: number; readonly object: number; readonly both: number };
  readonly chosen: BothSets;
  readonly byThreshold: readonly (BothSets & { readonly model: string; readonly threshold: number })[];
  readonly byAgreement: readonly (BothSets & { readonly both: number | 'never' })[];
  readonly variants: Readonly<Record<string, BothSets>>;
  readonly msMedian: number;
  readonly msMost: number;
}

/** Measures the thing labels of pictures: precision and recall. */
export const things: Subject = async () => {
  const measured = await runMeasurement<MeasuredThings>('measureThings.ts');
  const { chosen, msMedian } = measured;
  const missed = [
    ...(chosen.photos.precision < bounds.precision
      ? [
          `${formatShare(chosen.photos.precision)} of the things reported on photos are right, target: ${bounds.precision}`,
        ]
      : []),
    ...(msMedian > bounds.msMedian
      ? [`median per picture: ${msMedian.toFixed(1)} ms, limit: ${bounds.msMedian} ms`]
      : []),
  ];
  return { text: describe(measured), figures: measured, missed };
};

const line = (what: string, { photos, imageNet }: BothSets): string =>
  renderRow(
    what,
    String(photos.reported),
    formatShare(photos.precision),
    formatShare(photos.recall),
    String(imageNet.reported),
    formatShare(imageNet.precision),
    formatShare(imageNet.recall),
  );

const describe = ({ pictures, thresholds, chosen, variants, msMedian, msMost }: MeasuredThings): string => {
  return [
    '### Things',
    '',
    `${pictures} test pictures, compared with what a person sees. Right: share of the reported things. Found: share of the expected things. A picture takes ${msMedian.toFixed(1)} ms (median, target ≤ ${bounds.msMedian} ms), at most ${msMost.toFixed(1)} ms. Target on photos: ${bounds.precision} right.`,
    '',
    renderRow('', 'photos: reported', 'right', 'found', 'ImageNet: reported', 'right', 'found'),
    renderRow('---', '---:', '---:', '---:', '---:', '---:', '---:'),
    line(`in use: scene ${thresholds.scene}, object ${thresholds.object}, both ${thresholds.both}`, chosen),
    ...Object.entries(variants).map(([name, each]) => line(`in use, ${name}`, each)),
    '',
    `Wrong on photos: ${chosen.photos.wrong.join('; ') || 'none'}.`,
  ].join('\n');
};
