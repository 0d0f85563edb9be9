import { renderRow } from '@hearth/testkit/figures/publish.ts';
import { runMeasurement, formatShare, type Subject } from './subject.ts';

/** Required results on the test media, and the maximum CPU per photo on one thread. */
const bounds = {
  portraitsWithFace: 21,
  countedRight: 10,
  precision: 1,
  recall: 0.95,
  msWithoutFace: 15,
  msPerFace: 6,
} as const;

interface Spread {
  readonly count: number;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

interface Pairs {
  readonly same: Spread;
  readonly different: Spread;
}

/** Output of `load-tests/quality/measure/measureFaces.ts`. */
interface MeasuredFaces {
  readonly finding: Readonly<
    Record<
      | 'portraits'
      | 'portraitsWithFace'
      | 'variants'
      | 'variantsWithFace'
      | 'counted'
      | 'countedRight'
      | 'falseAlarms'
      | 'founding'
      | 'foundingOfVariants',
      number
    >
  >;
  readonly alarms: {
    readonly photos: number;
    readonly found: readonly { readonly photo: string; readonly faces: number; readonly founding: number }[];
  };
  readonly likeness: { readonly faces: Pairs; readonly means: Pairs };
  readonly clustering: Readonly<Record<'photos' | 'orders' | 'precision' | 'recall' | 'outcomes' | 'people', number>>;
  readonly cost: { readonly msWithoutFace: number; readonly msPerFace: number };
}

/** Measures face detection, recognition, and clustering in any order. */
export const faces: Subject = async () => {
  const measured = await runMeasurement<MeasuredFaces>('measureFaces.ts');
  const { finding, clustering, cost } = measured;
  const checks: readonly [boolean, string][] = [
    [
      finding.portraitsWithFace >= bounds.portraitsWithFace,
      `portraits with a detected face: ${finding.portraitsWithFace}, target: ${bounds.portraitsWithFace}`,
    ],
    [
      finding.countedRight >= bounds.countedRight,
      `photos with the right count: ${finding.countedRight}, target: ${bounds.countedRight}`,
    ],
    [
      clustering.precision >= bounds.precision,
      `${formatShare(clustering.precision)} of the grouped pairs are of one person, target: all`,
    ],
    [
      clustering.recall >= bounds.recall,
      `${formatShare(clustering.recall)} of the pairs of one person are grouped, target: ${bounds.recall}`,
    ],
    [
      clustering.outcomes === 1,
      `${clustering.outcomes} different outcomes in ${clustering.orders} orders, target: one`,
    ],
    [
      cost.msWithoutFace <= bounds.msWithoutFace,
      `a photo without a face takes ${cost.msWithoutFace} ms, limit: ${bounds.msWithoutFace} ms`,
    ],
    [cost.msPerFace <= bounds.msPerFace, `a face takes ${cost.msPerFace} ms, limit: ${bounds.msPerFace} ms`],
  ];
  return {
    text: describe(measured),
    figures: measured,
    missed: checks.filter(([isReached]) => !isReached).map(([, sentence]) => sentence),
  };
};

const describe = ({ finding, alarms, likeness, clustering, cost }: MeasuredFaces): string =>
  [
    '### Faces',
    '',
    renderRow('', 'reached', 'target'),
    renderRow('---', '---:', '---:'),
    renderRow(
      'portraits with a face',
      `${finding.portraitsWithFace} of ${finding.portraits}`,
      `≥ ${bounds.portraitsWithFace}`,
    ),
    renderRow('variants of them with a face', `${finding.variantsWithFace} of ${finding.variants}`, ''),
    renderRow(
      'photos with the right count',
      `${finding.countedRight} of ${finding.counted}`,
      `≥ ${bounds.countedRight}`,
    ),
    renderRow('false faces in them', String(finding.falseAlarms), ''),
    renderRow(
      `faces in ${alarms.photos} photos without people`,
      String(sum(alarms.found.map(({ faces }) => faces))),
      '',
    ),
    renderRow('false faces that could create a person', String(sum(alarms.found.map(({ founding }) => founding))), ''),
    renderRow(
      'portraits and variants whose face could create a person',
      `${finding.founding + finding.foundingOfVariants} of ${finding.portraits + finding.variants}`,
      '',
    ),
    renderRow(
      `precision of pairs, the worst of ${clustering.orders} orders, half of them with three workers`,
      formatShare(clustering.precision),
      formatShare(bounds.precision),
    ),
    renderRow('recall of pairs, the worst', formatShare(clustering.recall), `≥ ${bounds.recall}`),
    renderRow('different outcomes', String(clustering.outcomes), '1'),
    renderRow('ms without a face', String(cost.msWithoutFace), `≤ ${bounds.msWithoutFace}`),
    renderRow('ms for each face', String(cost.msPerFace), `≤ ${bounds.msPerFace}`),
    '',
    renderRow('similarity', 'pairs', 'min', 'median', 'max'),
    renderRow('---', '---:', '---:', '---:', '---:'),
    ...renderSpreads('two faces', likeness.faces),
    ...renderSpreads('a face and the mean of a person', likeness.means),
  ].join('\n');

const sum = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const renderSpreads = (what: string, { same, different }: Pairs): string[] =>
  [
    { words: `${what}, the same person`, spread: same },
    { words: `${what}, another person`, spread: different },
  ].map(({ words, spread: { count, least, median, most } }) =>
    renderRow(words, String(count), least.toFixed(2), median.toFixed(2), most.toFixed(2)),
  );
