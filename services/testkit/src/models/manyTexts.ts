import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../run/seededRandom.ts';

const root = join(import.meta.dirname, '../../../..');

/** Text that is tokenised differently by incorrect tokenisers. */
const pieces = [
  'strand',
  "don't I'll we've",
  'ÄÖÜ ß ñ Ç',
  'e\u0301 o\u0308 Å K',
  'İstanbul ΣΑΣ',
  '東京タワー',
  '한국어 조합',
  'हिन्दी',
  'العربية',
  'ไทย',
  '🐶🏖️👨‍👩‍👧🏳️‍🌈',
  '12345 3.14 ½ ² Ⅷ',
  'foo_bar-baz!!??',
  '\u00a0x\u2003y\t\n',
  '\u200b\u200d',
  '<|endoftext|>',
  'supercalifragilistic',
  '\ud83d',
];

/** First and last code points of scripts, symbols and emoji. */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x300, 0x3ff],
  [0x400, 0x4ff],
  [0x590, 0x6ff],
  [0x900, 0x97f],
  [0x1100, 0x11ff],
  [0x1e00, 0x206f],
  [0x2100, 0x218f],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff00, 0xffef],
  [0x1_d400, 0x1_d7ff],
  [0x1_f300, 0x1_faff],
] as const;

/** Returns lines written by people: documentation, strings of the web app in two languages, and text on signs in the test media. */
const listRealTexts = (): string[] =>
  ['docs/docs/**/*.md', 'services/web/src/locales/*/*.json', 'load-tests/quality/measure/seenText.json']
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.length > 3);

/** Returns `count` texts, up to half of them real ones; the same in every run. */
export const listTexts = (count: number): string[] => {
  const random = createRandom(20);
  const real = random.shuffle(listRealTexts()).slice(0, count / 2);
  const draw = (): string => {
    if (random.chance(0.4)) return random.pick(pieces);
    const [first, last] = random.pick(ranges);
    return Array.from({ length: 1 + random.below(5) }, () =>
      String.fromCodePoint(first + random.below(last - first + 1)),
    ).join('');
  };
  const drawn = Array.from({ length: count - real.length }, () =>
    Array.from({ length: random.below(40) }, () => draw() + (random.chance(0.4) ? ' ' : '')).join(''),
  );
  // Replaces lone surrogates, which JSON and queries cannot transport.
  return [...real, ...drawn].map((text) => text.toWellFormed());
};
