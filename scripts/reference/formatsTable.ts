import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  pictureDecoders,
  soundDecoders,
  videoContainers,
  type VideoContainerSpec,
} from '@hearth/worker/media/formats/videoFormats.ts';
import { photoFormats, type PhotoFormat, type PhotoFormatSpec } from '@hearth/worker/media/formats/photoFormats.ts';
import { table } from './markdown.ts';

/** Page of the guide with the tables of formats. */
export const formatsPage = join(import.meta.dirname, '../../docs/docs/dev-guide/photo-formats.md');

const decoderNames: Record<PhotoFormatSpec['decoder'], string> = {
  sharp: 'sharp (libvips)',
  ffmpeg: 'FFmpeg (node-av)',
  heif: 'FFmpeg (node-av), else libheif-js',
  raw: 'exiftool, then sharp',
};

/** Size limits by decoder. These decoders hold the whole file, or the preview of a RAW file, in memory. */
const fileLimits: Partial<Record<PhotoFormatSpec['decoder'], string>> = {
  ffmpeg: '512 MiB',
  heif: '256 MiB for libheif-js',
  raw: '200 MB per preview',
};

/** Renders the photo formats of `photoFormats.ts` as a Markdown table. */
function makeFormatsTable(): string {
  const rows = Object.entries<PhotoFormatSpec>(photoFormats).map(([format, spec]) => [
    `\`${format}\``,
    decoderNames[spec.decoder],
    [...spec.loaders, ...spec.codecs].map((name) => `\`${name}\``).join(', '),
    spec.shown,
    (isAnimation(format as PhotoFormat) ? undefined : fileLimits[spec.decoder]) ?? '',
  ]);
  return table(['format', 'decoder', 'loaders or codecs', 'shown', 'largest file'], rows);
}

/** Renders the video containers of `videoFormats.ts` as a Markdown table. */
const makeContainersTable = (): string =>
  table(
    ['container', 'demuxers of FFmpeg'],
    Object.values<VideoContainerSpec>(videoContainers).map(({ shown, demuxers }) => [shown, `\`${demuxers}\``]),
  );

/** Renders the video codecs of `videoFormats.ts` as a Markdown list. */
const makeCodecsList = (): string =>
  Object.entries({ Pictures: pictureDecoders, Sound: soundDecoders })
    .map(([kind, decoders]) => `- **${kind}**: ${Object.values<string>(decoders).join(', ')}`)
    .join('\n');

/** Returns true for animations. They are read frame by frame. */
const isAnimation = (format: PhotoFormat): boolean => format === 'apng' || format === 'avis';

/** Returns the page with updated tables and list, each between its marks. @throws if a mark is missing */
export const renderFormatsPage = (): string =>
  Object.entries({ formats: makeFormatsTable(), containers: makeContainersTable(), codecs: makeCodecsList() }).reduce(
    (text, [name, content]) => putSection(text, name, content),
    readFileSync(formatsPage, 'utf8'),
  );

function putSection(page: string, name: string, content: string): string {
  const [begin, end] = [`<!-- the ${name}: begin -->`, `<!-- the ${name}: end -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`no markers for the ${name} in the page`);
  return `${page.slice(0, from + begin.length)}\n\n${content}\n\n${page.slice(to)}`;
}
