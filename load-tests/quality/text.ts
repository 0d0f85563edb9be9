import { row } from '../harness/publish.ts';
import { runMeasurement, share, type Subject } from './subject.ts';

/** What of the printed words has to be read, of Chinese of the signs, and what a picture may cost on one thread. */
const bounds = { en: 0.85, de: 0.85, fr: 0.85, zh: 0.8, msWithoutText: 20, msWithText: 150 } as const;
const languages = { en: 'English', de: 'German', fr: 'French', zh: 'Chinese' } as const;
type Language = keyof typeof languages;

interface Read {
  readonly expected: number;
  readonly missed: readonly string[];
}

interface Times {
  readonly pictures: number;
  readonly msMedian: number;
  readonly msMost: number;
}

/** What `services/inference/src/testing/quality/measureText.ts` prints. */
interface MeasuredText {
  readonly variants: Readonly<Record<string, Readonly<Record<Language, Read>>>>;
  /** What was read in pictures without text. */
  readonly imagined: readonly string[];
  readonly withText: Times;
  readonly withoutText: Times;
}

/** The text in pictures: how much of it is read, by language, and what it costs. */
export const text: Subject = async () => {
  const measured = await runMeasurement<MeasuredText>('services/inference/src/testing/quality/measureText.ts');
  const { variants, withText, withoutText } = measured;
  const checks: readonly [boolean, string][] = [
    ...languageNames.map((language): [boolean, string] => {
      const recall = recallOf(variants['original']![language]);
      return [
        recall >= bounds[language],
        `of the ${language === 'zh' ? 'signs' : 'words'} in ${languages[language]} ${share(recall)} are read, wanted ${bounds[language]}`,
      ];
    }),
    [
      withoutText.msMedian <= bounds.msWithoutText,
      `a picture without text takes ${withoutText.msMedian.toFixed(1)} ms in the median, wanted ${bounds.msWithoutText} ms`,
    ],
    [
      withText.msMedian <= bounds.msWithText,
      `a picture with text takes ${withText.msMedian.toFixed(1)} ms in the median, wanted ${bounds.msWithText} ms`,
    ],
  ];
  return {
    text: describe(measured),
    figures: measured,
    missed: checks.filter(([isReached]) => !isReached).map(([, sentence]) => sentence),
  };
};

const languageNames = Object.keys(languages) as Language[];

const recallOf = ({ expected, missed }: Read): number => 1 - missed.length / expected;

const describe = ({ variants, imagined, withText, withoutText }: MeasuredText): string =>
  [
    '### Text',
    '',
    `The part of the printed words that is read, of Chinese of the signs; wanted ${languageNames.map((each) => `${languages[each]} ${bounds[each]}`).join(', ')}.`,
    '',
    row('', ...languageNames.map((each) => languages[each])),
    row('---', ...languageNames.map(() => '---:')),
    row('words or signs', ...languageNames.map((each) => String(variants['original']![each].expected))),
    ...Object.entries(variants).map(([name, read]) =>
      row(name, ...languageNames.map((each) => share(recallOf(read[each])))),
    ),
    '',
    row('', 'pictures', 'ms, median', 'ms, most', 'wanted'),
    row('---', '---:', '---:', '---:', '---:'),
    row(
      'without text',
      String(withoutText.pictures),
      withoutText.msMedian.toFixed(1),
      withoutText.msMost.toFixed(1),
      `≤ ${bounds.msWithoutText}`,
    ),
    row(
      'with text',
      String(withText.pictures),
      withText.msMedian.toFixed(1),
      withText.msMost.toFixed(1),
      `≤ ${bounds.msWithText}`,
    ),
    '',
    `Not read: ${languageNames.flatMap((each) => variants['original']![each].missed).join(', ') || 'none'}. Read where there is none: ${imagined.join('; ') || 'nothing'}.`,
  ].join('\n');
