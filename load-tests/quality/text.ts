import { renderRow } from '@hearth/testkit/figures/publish.ts';
import { runMeasurement, formatShare, type Subject } from './subject.ts';

/** Required recall of printed words (of characters for Chinese), and the maximum CPU per picture on one thread. */
const bounds = { en: 0.85, de: 0.85, fr: 0.85, zh: 0.8, msWithoutText: 20, msWithText: 150 } as const;
const languages = { en: 'English', de: 'German', fr: 'French', zh: 'Chinese' } as const;
/** All languages, including those without a bound. */
const allLanguages = { ...languages, rest: 'others, in Latin letters' } as const;
type Language = keyof typeof languages;

interface Read {
  readonly expected: number;
  readonly missed: readonly string[];
}

/** Results by language. Languages without any text are missing. */
type ReadByLanguage = Readonly<Partial<Record<keyof typeof allLanguages, Read>>>;

interface Times {
  readonly pictures: number;
  readonly msMedian: number;
  readonly msMost: number;
}

/** Output of `load-tests/quality/measure/measureText.ts`. */
interface MeasuredText {
  /** Text of signs, pages and screens. */
  readonly variants: Readonly<Record<string, ReadByLanguage>>;
  /** All legible print. */
  readonly everything: ReadByLanguage;
  readonly mirrored: { readonly lines: number; readonly wrong: number };
  /** Text read in pictures without text (false positives). */
  readonly falsePositives: readonly string[];
  readonly withText: Times;
  readonly withoutText: Times;
}

/** Measures text recognition: recall by language, and cost. */
export const text: Subject = async () => {
  const measured = await runMeasurement<MeasuredText>('measureText.ts');
  const { variants, withText, withoutText } = measured;
  const checks: readonly [boolean, string][] = [
    ...languageNames.map((language): [boolean, string] => {
      const recall = getRecall(variants['original']![language] ?? noText);
      return [
        recall >= bounds[language],
        `${formatShare(recall)} of the ${language === 'zh' ? 'characters' : 'words'} in ${languages[language]} are read, target: ${bounds[language]}`,
      ];
    }),
    [
      withoutText.msMedian <= bounds.msWithoutText,
      `median for a picture without text: ${withoutText.msMedian.toFixed(1)} ms, limit: ${bounds.msWithoutText} ms`,
    ],
    [
      withText.msMedian <= bounds.msWithText,
      `median for a picture with text: ${withText.msMedian.toFixed(1)} ms, limit: ${bounds.msWithText} ms`,
    ],
  ];
  return {
    text: describe(measured),
    figures: measured,
    missed: checks.filter(([isReached]) => !isReached).map(([, sentence]) => sentence),
  };
};

const languageNames = Object.keys(languages) as Language[];

const allNames = Object.keys(allLanguages) as (keyof typeof allLanguages)[];

const countMissed = (read: ReadByLanguage): number => allNames.flatMap((each) => read[each]?.missed ?? []).length;

const noText: Read = { expected: 0, missed: [] };

/** Returns a dash without text. */
const formatReadShare = (read: Read | undefined): string => (read === undefined ? '–' : formatShare(getRecall(read)));

const getRecall = ({ expected, missed }: Read): number => 1 - missed.length / expected;

const describe = ({ variants, everything, mirrored, falsePositives, withText, withoutText }: MeasuredText): string =>
  [
    '### Text',
    '',
    `Share of the words (Chinese: characters) on signs, pages and screens that is read; target: ${languageNames.map((each) => `${languages[each]} ${bounds[each]}`).join(', ')}. ` +
      'Cropped: only words whose line stays complete. Mirrored text should not be read.',
    '',
    renderRow('', ...allNames.map((each) => allLanguages[each])),
    renderRow('---', ...allNames.map(() => '---:')),
    renderRow('words or characters', ...allNames.map((each) => String(variants['original']![each]?.expected ?? 0))),
    ...Object.entries(variants).map(([name, read]) =>
      renderRow(name, ...allNames.map((each) => formatReadShare(read[each]))),
    ),
    renderRow(
      'words or characters of all legible print',
      ...allNames.map((each) => String(everything[each]?.expected ?? 0)),
    ),
    renderRow('all legible print, original', ...allNames.map((each) => formatReadShare(everything[each]))),
    '',
    `${mirrored.wrong} of ${mirrored.lines} lines read in mirrored signs and pages are wrong.`,
    '',
    renderRow('', 'pictures', 'ms, median', 'ms, max', 'target'),
    renderRow('---', '---:', '---:', '---:', '---:'),
    renderRow(
      'without text',
      String(withoutText.pictures),
      withoutText.msMedian.toFixed(1),
      withoutText.msMost.toFixed(1),
      `≤ ${bounds.msWithoutText}`,
    ),
    renderRow(
      'with text',
      String(withText.pictures),
      withText.msMedian.toFixed(1),
      withText.msMost.toFixed(1),
      `≤ ${bounds.msWithText}`,
    ),
    '',
    `Not read: ${countMissed(variants['original']!)} words of signs and pages, ${countMissed(everything)} of all print. Text read in pictures without text: ${falsePositives.join('; ') || 'none'}.`,
  ].join('\n');
