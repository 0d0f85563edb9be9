import { row } from '@hearth/testkit/figures/publish.ts';
import { runMeasurement, share, type Subject } from './subject.ts';

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
      `a face is found in ${finding.portraitsWithFace} portraits, wanted ${bounds.portraitsWithFace}`,
    ],
    [
      finding.countedRight >= bounds.countedRight,
      `the count is right in ${finding.countedRight} photos, wanted ${bounds.countedRight}`,
    ],
    [
      clustering.precision >= bounds.precision,
      `${share(clustering.precision)} of the grouped pairs are of one person, wanted all`,
    ],
    [
      clustering.recall >= bounds.recall,
      `${share(clustering.recall)} of the pairs of one person are grouped, wanted ${bounds.recall}`,
    ],
    [clustering.outcomes === 1, `${clustering.outcomes} different outcomes in ${clustering.orders} orders, wanted one`],
    [
      cost.msWithoutFace <= bounds.msWithoutFace,
      `a photo without a face takes ${cost.msWithoutFace} ms, wanted ${bounds.msWithoutFace} ms`,
    ],
    [cost.msPerFace <= bounds.msPerFace, `a face takes ${cost.msPerFace} ms, wanted ${bounds.msPerFace} ms`],
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
    row('', 'reached', 'wanted'),
    row('---', '---:', '---:'),
    row(
      'portraits with a face',
      `${finding.portraitsWithFace} of ${finding.portraits}`,
      `≥ ${bounds.portraitsWithFace}`,
    ),
    row('variants of them with a face', `${finding.variantsWithFace} of ${finding.variants}`, ''),
    row('photos with the right count', `${finding.countedRight} of ${finding.counted}`, `≥ ${bounds.countedRight}`),
    row('false faces in them', String(finding.falseAlarms), ''),
    row(`faces in ${alarms.photos} photos without people`, String(sumOf(alarms.found.map(({ faces }) => faces))), ''),
    row('of those, faces that could create a person', String(sumOf(alarms.found.map(({ founding }) => founding))), ''),
    row(
      'portraits and variants whose face could create a person',
      `${finding.founding + finding.foundingOfVariants} of ${finding.portraits + finding.variants}`,
      '',
    ),
    row(
      `precision of pairs, the worst of ${clustering.orders} orders, half of them with three workers`,
      share(clustering.precision),
      share(bounds.precision),
    ),
    row('recall of pairs, the worst', share(clustering.recall), `≥ ${bounds.recall}`),
    row('different outcomes', String(clustering.outcomes), '1'),
    row('ms without a face', String(cost.msWithoutFace), `≤ ${bounds.msWithoutFace}`),
    row('ms for each face', String(cost.msPerFace), `≤ ${bounds.msPerFace}`),
    '',
    row('similarity', 'pairs', 'min', 'median', 'max'),
    row('---', '---:', '---:', '---:', '---:'),
    ...spreadsOf('two faces', likeness.faces),
    ...spreadsOf('a face and the mean of a person', likeness.means),
  ].join('\n');

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const spreadsOf = (what: string, { same, different }: Pairs): string[] =>
  [
    { words: `${what}, the same person`, spread: same },
    { words: `${what}, another person`, spread: different },
  ].map(({ words, spread: { count, least, median, most } }) =>
    row(words, String(count), least.toFixed(2), median.toFixed(2), most.toFixed(2)),
  );
