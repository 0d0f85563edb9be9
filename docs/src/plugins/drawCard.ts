import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import satori from 'satori';

export interface Card {
  readonly title: string;
  readonly section: string;
}

const readFont = (weight: 400 | 700): Promise<Buffer> =>
  readFile(join(dirOfFonts, `inter-latin-${weight}-normal.woff`));
const dirOfFonts = join(__dirname, '..', '..', 'node_modules', '@fontsource', 'inter', 'files');

/** Fonts, read once. Text is converted to outlines, so that cards look the same on all machines. */
const fonts = Promise.all(
  ([400, 700] as const).map(async (weight) => ({
    name: 'Inter',
    data: await readFont(weight),
    weight,
    style: 'normal' as const,
  })),
);

const div = (style: object, children: unknown) => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children },
});

/** Renders a card as SVG, 1200 × 630 pixels. */
export const drawCard = async ({ title, section }: Card): Promise<string> => {
  const bars = ['#b5471b', '#e8702a', '#ff9b66'].map((color) =>
    div({ width: 120, height: 12, backgroundColor: color }, ''),
  );
  const card = div(
    {
      width: 1_200,
      height: 630,
      boxSizing: 'border-box',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: 72,
      backgroundColor: '#fbfaf8',
      color: '#1f1b17',
      fontFamily: 'Inter',
    },
    [
      div({ fontSize: 32, color: '#645c53' }, section),
      div({ fontSize: title.length > 60 ? 52 : 72, fontWeight: 700, lineHeight: 1.15 }, title),
      div({ justifyContent: 'space-between', alignItems: 'center' }, [
        div({ fontSize: 40, fontWeight: 700, color: '#b5471b' }, 'Hearth'),
        div({}, bars),
      ]),
    ],
  );
  // Satori's types require React elements, but objects of the same shape work.
  return satori(card as unknown as Parameters<typeof satori>[0], { width: 1_200, height: 630, fonts: await fonts });
};
