import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPage } from '@hearth/core/testing/drawnPage.ts';
import { layDown, makeVariant, type VariantName } from '@hearth/core/testing/pictureVariants.ts';
import { readTestPixels } from '@hearth/core/testing/readTestPixels.ts';
import { openSessions } from '../../process/sessions.ts';
import { tasks } from '../../process/tasks.ts';
import { textSides } from '../../text/findText.ts';
import { glanceSides } from '../../text/mayShowText.ts';
import { mediaPath, testSettings } from '../testModels.ts';
import { drawnTexts } from './drawnTexts.ts';
import { readWords } from './readWords.ts';

/*
 * node services/inference/src/testing/quality/measureText.ts: how much of the text in the test media is read, by language and in variants of the pictures,
 * and what a picture costs on one thread, with and without text, as JSON.
 */

type Language = 'en' | 'de' | 'fr' | 'zh';

/** What a person who has looked at a picture reads in it, by language: the printed words, of Chinese the signs. Ornaments and chalk are left out. */
type SeenText = Readonly<Partial<Record<Language, string>>>;

const readBeside = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

const ofMedia = readBeside('seenText.json') as Readonly<Record<string, SeenText>>;
const textless = readBeside('textless.json') as readonly string[];

interface Page {
  readonly picture: string | Buffer;
  readonly text: SeenText;
}

const drawn: Page[] = await Promise.all(
  Object.entries(drawnTexts).flatMap(([language, pages]) =>
    pages.map(async ({ lines, lineHeight }) => ({
      picture: await drawPage(lines, lineHeight),
      text: { [language]: lines.join(' ') },
    })),
  ),
);
const pages: readonly Page[] = [
  ...Object.entries(ofMedia).map(([path, text]) => ({ picture: mediaPath(path), text })),
  ...drawn,
];

/** What happens to text besides what happens to every picture: a page lies on its side, or on its head. */
const turns = { quarterTurn: 90, halfTurn: 180, threeQuarterTurn: 270 } as const;
const changes = ['turned', 'darkened', 'recompressed', 'quarter'] as const satisfies VariantName[];
const variantNames = ['original', ...changes, ...(Object.keys(turns) as (keyof typeof turns)[])] as const;
type Variant = (typeof variantNames)[number];

const isTurn = (variant: Variant): variant is keyof typeof turns => variant in turns;

const variantOf = async (picture: string | Buffer, variant: Variant): Promise<string | Buffer> => {
  if (variant === 'original') return picture;
  return isTurn(variant) ? layDown(picture, turns[variant]) : makeVariant(picture, variant);
};

const sessions = await openSessions(testSettings);

const look = async (picture: string | Buffer) => {
  // At most the size of a preview, as a decoder reads it.
  const [small, sizes] = await Promise.all(
    [glanceSides, textSides].map((sides) => Promise.all(sides.map((side) => readTestPixels(picture, side)))),
  );
  const before = process.cpuUsage();
  const lines = (await tasks.glance(sessions, small!)) ? await tasks.text(sessions, sizes!) : [];
  const { user, system } = process.cpuUsage(before);
  return { lines: lines.map(({ text }) => text), ms: (user + system) / 1_000 };
};

/** Of several looks the one that took least: on a machine that others use too, the others tell of those. */
const lookBest = async (picture: string | Buffer) => {
  const looks = [await look(picture), await look(picture), await look(picture)];
  return looks.toSorted((a, b) => a.ms - b.ms)[0]!;
};

const wordsOf = (language: string, text: string): string[] =>
  language === 'zh' ? Array.from(text) : text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

const spreadOf = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return { pictures: sorted.length, msMedian: sorted[Math.floor(sorted.length / 2)]!, msMost: sorted.at(-1)! };
};

// Once before it counts: the first picture waits for the models.
await look(pages[0]!.picture);

const timesWith: number[] = [];
const variants: Record<string, Record<string, { expected: number; missed: string[] }>> = {};
for (const variant of variantNames) {
  const byLanguage: (typeof variants)[string] = {};
  for (const { picture, text } of pages) {
    const isTimed = variant === 'original';
    const { lines, ms } = await (isTimed ? lookBest(picture) : look(await variantOf(picture, variant)));
    if (isTimed) timesWith.push(ms);
    for (const [language, words] of Object.entries(text)) {
      const { expected, missed } = readWords(wordsOf(language, words), lines);
      const sum = (byLanguage[language] ??= { expected: 0, missed: [] });
      sum.expected += expected;
      sum.missed.push(...missed);
    }
  }
  variants[variant] = byLanguage;
}

const timesWithout: number[] = [];
const imagined: string[] = [];
for (const path of textless) {
  const { lines, ms } = await lookBest(mediaPath(path));
  timesWithout.push(ms);
  if (lines.length > 0) imagined.push(`${lines.join(' / ')} in ${path}`);
}

process.stdout.write(
  JSON.stringify({ variants, imagined, withText: spreadOf(timesWith), withoutText: spreadOf(timesWithout) }),
);
