import { photoFormats, type PhotoFormat, type PhotoFormatSpec } from '../photoFormats.ts';

/** The page of the guide with the table of formats, from the root of the checkout. */
export const formatsPage = 'docs/docs/dev-guide/photo-formats.md';

const begin = '<!-- the formats: begin -->';
const end = '<!-- the formats: end -->';

const decoderNames: Record<PhotoFormatSpec['decoder'], string> = {
  sharp: 'sharp (libvips)',
  ffmpeg: 'FFmpeg (node-av)',
  heif: 'FFmpeg (node-av), else libheif-js',
  raw: 'exiftool, then sharp',
};

/** Most bytes of a file, in words, where its decoder holds all of it in memory. */
const fileLimits: Partial<Record<PhotoFormatSpec['decoder'], string>> = {
  ffmpeg: '512 MiB',
  heif: '256 MiB for libheif-js',
  raw: '200 MB per preview',
};

/** The formats as a table in Markdown, made from `photoFormats.ts`. */
export function makeFormatsTable(): string {
  const rows = Object.entries<PhotoFormatSpec>(photoFormats).map(([format, spec]) => [
    `\`${format}\``,
    decoderNames[spec.decoder],
    spec.shown,
    spec.isHeavy ? 'one at a time' : 'as many as cores',
    (isAnimation(format as PhotoFormat) ? undefined : fileLimits[spec.decoder]) ?? '',
  ]);
  const table = [
    ['format', 'decoder', 'what is shown', 'side by side', 'largest file'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Animations are read frame by frame. */
const isAnimation = (format: PhotoFormat): boolean => format === 'apng' || format === 'avis';

/** The page with what stands between the marks replaced. @throws where they are not there */
export function putTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error('the page has no place for the table of formats');
  return `${page.slice(0, from + begin.length)}\n\n${table}\n\n${page.slice(to)}`;
}
