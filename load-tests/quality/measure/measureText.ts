import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPage } from '@hearth/testkit/pictures/drawnPage.ts';
import { rotate, makeVariant, type VariantName } from '@hearth/testkit/pictures/pictureVariants.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { openSessions } from '@hearth/inference/process/sessions.ts';
import { tasks } from '@hearth/inference/process/tasks.ts';
import { textSides } from '@hearth/inference/text/findText.ts';
import { textCheckSides } from '@hearth/inference/text/mayShowText.ts';
import { mediaPath, testSettings } from '@hearth/testkit/models/testModels.ts';
import { drawnTexts } from './drawnTexts.ts';
import { compareWords } from './readWords.ts';

/*
 * node load-tests/quality/measure/measureText.ts
 *
 * Measures text recognition on the test media by language and picture variant, and the CPU per picture on one thread,
 * with and without text. Prints JSON.
 */

type Language = 'en' | 'de' | 'fr' | 'zh' | 'rest';

type Texts = Readonly<Partial<Record<Language, string>>>;

/**
 * Text that a person can read in a picture without effort, by language: on signs, pages, screens, things and clothes, and
 * photographers' marks.
 * Contains whole printed words in Latin or Chinese script that are at least eight pixels high and not mirrored.
 * Excludes handwriting, chalk, instrument scales and keyboard keys. `rest` is any other language in Latin script.
 */
interface SeenText {
  readonly pages?: Texts;
  readonly things?: Texts;
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

const mediaTexts = readJson('seenText.json') as Readonly<Record<string, SeenText>>;
const picturesWithoutText = readJson('textless.json') as readonly string[];

interface Page {
  readonly picture: string | Buffer;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly language: Language;
  readonly isOfPage: boolean;
}

const listWords = (texts: Texts = {}, isOfPage: boolean): Word[] =>
  (Object.entries(texts) as [Language, string][]).flatMap(([language, text]) =>
    (language === 'zh' ? Array.from(text) : text.split(/[^\p{L}\p{N}]+/u))
      .filter((word) => word !== '')
      .map((word) => ({ text: word, language, isOfPage })),
  );

const drawn: Page[] = await Promise.all(
  Object.entries(drawnTexts).flatMap(([language, pages]) =>
    pages.map(async ({ lines, lineHeight }) => ({
      picture: await drawPage(lines, lineHeight),
      words: listWords({ [language]: lines.join(' ') }, true),
    })),
  ),
);
const pictures: readonly Page[] = [
  ...Object.entries(mediaTexts).map(([path, { pages, things }]) => ({
    picture: mediaPath(path),
    words: [...listWords(pages, true), ...listWords(things, false)],
  })),
  ...drawn,
];

/** Extra variants for text: a page lies on its side or upside down. */
const turns = { quarterTurn: 90, halfTurn: 180, threeQuarterTurn: 270 } as const;
const changes = [
  'turned',
  'darkened',
  'recompressed',
  'quarter',
  'cropped',
  'mirrored',
] as const satisfies VariantName[];
const variantNames = ['original', ...changes, ...(Object.keys(turns) as (keyof typeof turns)[])] as const;
type Variant = (typeof variantNames)[number];

const isTurn = (variant: Variant): variant is keyof typeof turns => variant in turns;

const makeVariantOf = async (picture: string | Buffer, variant: Variant): Promise<string | Buffer> => {
  if (variant === 'original') return picture;
  return isTurn(variant) ? rotate(picture, turns[variant]) : makeVariant(picture, variant);
};

const sessions = await openSessions(testSettings);

const readText = async (picture: string | Buffer) => {
  // At most the size of a preview, as the decoder reads it.
  const [small, sizes] = await Promise.all(
    [textCheckSides, textSides].map((sides) => Promise.all(sides.map((side) => readTestPixels(picture, side)))),
  );
  const before = process.cpuUsage();
  const lines = (await tasks.glance(sessions, small!)) ? await tasks.text(sessions, sizes!) : [];
  const { user, system } = process.cpuUsage(before);
  return { lines, ms: (user + system) / 1_000 };
};

/** Returns the fastest of three runs, which other load on the machine disturbed least. */
const readTextFastest = async (picture: string | Buffer) => {
  const attempts = [await readText(picture), await readText(picture), await readText(picture)];
  return attempts.toSorted((a, b) => a.ms - b.ms)[0]!;
};

const getSpread = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { pictures: sorted.length, msMedian: sorted[Math.floor(sorted.length / 2)]!, msMost: sorted.at(-1)! };
};

// Warm-up: the first picture waits for the models to load.
await readText(pictures[0]!.picture);

type Lines = Awaited<ReturnType<typeof readText>>['lines'];
type Read = Record<string, { expected: number; missed: string[] }>;

/** Counts recognised words by language. @returns the line of each word, or undefined if it was not read */
const countWords = (sums: Read, words: readonly Word[], lines: Lines): (Lines[number] | undefined)[] => {
  const found = compareWords(
    words.map(({ text }) => text),
    lines.map(({ text }) => text),
  );
  for (const [place, { text, language }] of words.entries()) {
    const sum = (sums[language] ??= { expected: 0, missed: [] });
    sum.expected += 1;
    if (found[place]! < 0) sum.missed.push(text);
  }
  return found.map((line) => lines[line]);
};

/** Returns true if a line is entirely within a crop to the middle 80 % of each side. */
const isInsidePicture = ({ corners }: Lines[number]): boolean =>
  corners.every(({ x, y }) => x >= 0.1 && x <= 0.9 && y >= 0.1 && y <= 0.9);

const timesWith: number[] = [];
const everything: Read = {};
const variants: Record<string, Read> = Object.fromEntries(variantNames.map((name) => [name, {}]));
/** Lines read in mirrored pictures, and those that contain none of the words. */
const mirrored = { lines: 0, wrong: 0 };
for (const { picture, words } of pictures) {
  const { lines, ms } = await readTextFastest(picture);
  timesWith.push(ms);
  const found = countWords(everything, words, lines);
  const isRead = (word: Word) => found[words.indexOf(word)] !== undefined;
  const pageWords = words.filter(({ isOfPage }) => isOfPage);
  if (pageWords.length === 0) continue;
  for (const variant of variantNames) {
    if (variant === 'original') {
      for (const word of pageWords) {
        const sum = (variants['original']![word.language] ??= { expected: 0, missed: [] });
        sum.expected += 1;
        if (!isRead(word)) sum.missed.push(word.text);
      }
      continue;
    }
    const { lines: read } = await readText(await makeVariantOf(picture, variant));
    const expected =
      variant === 'cropped'
        ? pageWords.filter((word) => isRead(word) && isInsidePicture(found[words.indexOf(word)]!))
        : pageWords;
    const countLine = countWords(variants[variant]!, expected, read);
    if (variant === 'mirrored') {
      mirrored.lines += read.length;
      mirrored.wrong += read.filter((line) => !countLine.includes(line)).length;
    }
  }
}

const timesWithout: number[] = [];
const falsePositives: string[] = [];
for (const path of picturesWithoutText) {
  const { lines, ms } = await readTextFastest(mediaPath(path));
  timesWithout.push(ms);
  if (lines.length > 0) falsePositives.push(`${lines.map(({ text }) => text).join(' / ')} in ${path}`);
}

process.stdout.write(
  JSON.stringify({
    variants,
    everything,
    mirrored,
    falsePositives,
    withText: getSpread(timesWith),
    withoutText: getSpread(timesWithout),
  }),
);
