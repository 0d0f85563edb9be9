import { renderRow } from '@hearth/testkit/figures/publish.ts';
import { runMeasurement, type Subject } from './subject.ts';

interface Times {
  readonly msMedian: number;
  readonly msMean: number;
}

/** Output of `load-tests/quality/measure/measurePool.ts`. */
interface MeasuredPool extends Readonly<Record<'decode' | 'things' | 'faces' | 'text' | 'meaning' | 'pool', Times>> {
  readonly photos: number;
  /** Number of photos that appear to contain text. */
  readonly withText: number;
  readonly searchModel: string;
}

/** Measures the CPU of the whole pool per photo, next to one decode of the same preview. */
export const pool: Subject = async () => {
  const measured = await runMeasurement<MeasuredPool>('measurePool.ts');
  return { text: describe(measured), figures: measured, missed: [] };
};

const describe = ({
  photos,
  withText,
  searchModel,
  decode,
  things,
  faces,
  text,
  meaning,
  pool: whole,
}: MeasuredPool): string =>
  [
    '### The whole pool',
    '',
    `CPU time on one thread per photo, for ${photos} test photos, ${withText} of them with something like text; embeddings by \`${searchModel}\`.`,
    '',
    renderRow('', 'ms, median', 'ms, mean'),
    renderRow('---', '---:', '---:'),
    ...(
      [
        ['decoding the preview to all sizes', decode],
        ['things', things],
        ['faces', faces],
        ['text', text],
        ['embedding', meaning],
        ['all components of the pool, without decoding', whole],
      ] as const
    ).map(([what, { msMedian, msMean }]) => renderRow(what, msMedian.toFixed(1), msMean.toFixed(1))),
  ].join('\n');
