import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { explainMissingTestData, getTestDataFolder } from '@hearth/testkit/run/testData.ts';
import { missingTool, toolPath, type ToolName } from '@hearth/testkit/run/tools.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { describeMachine, publishTable, renderRow } from '@hearth/testkit/figures/publish.ts';

/*
 * npm run bench:formats: measures the CPU of rendering each photo and video format (preview, thumbnail and placeholder)
 * and of transcoding a video. It compares each with the best command-line tool for the format, which makes only a
 * preview. The files come from the test media.
 *
 *   --publish   writes the table into the guide
 */
const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });
const missingTestData = explainMissingTestData('media');
if (missingTestData) throw new Error(`npm run bench:formats ${missingTestData}`);
const media = getTestDataFolder('media');

const exiftool = join(import.meta.dirname, '../../node_modules/exiftool-vendored.pl/bin/exiftool');

/** Cost of rendering one file. */
interface Measured {
  readonly format: string;
  readonly cpuMs: number;
  readonly peakBytes: number;
  /** CPU of decoding the HEIC pixels alone with libheif-js, in the same run. */
  readonly libheifMs?: number;
  /** Cost of transcoding the video for browsers. */
  readonly transcoding?: { readonly cpuMs: number; readonly peakBytes: number };
}

/**
 * A media file and the command of a tool that renders its preview, only decodes it if no tool does both, or transcodes
 * it.
 */
interface Comparison {
  readonly file: string;
  readonly tool: ToolName;
  readonly command: (program: string, file: string, target: string) => readonly string[];
  readonly isTranscoding?: boolean;
}

const compareVips = (file: string): Comparison => ({
  file,
  tool: 'vipsthumbnail',
  command: (program, path, target) => [program, path, '--size', '1440x1440>', '-o', `${target}.jpg[Q=80]`],
});
const compareHeif = (file: string): Comparison => ({
  file,
  tool: 'heif-convert',
  command: (program, path, target) => [program, '-q', '80', path, `${target}.jpg`],
});

const ffmpeg = '-v error -y -threads 1 -i'.split(' ');
/** Renders one video frame with FFmpeg as our poster step does: HDR is tone-mapped and rotation is applied. */
const comparePoster = (file: string, colours = ''): Comparison => ({
  file,
  tool: 'ffmpeg',
  command: (program, path, target) => [
    program,
    ...ffmpeg,
    path,
    ...'-frames:v 1 -threads 1 -vf'.split(' '),
    `scale=w=1440:h=1440:force_original_aspect_ratio=decrease${colours}`,
    `${target}.jpg`,
  ],
});
/** The same encoder settings as Hearth, also in one thread. */
const encoders =
  '-c:v libx264 -threads 1 -preset veryfast -crf 23 -profile:v high -c:a aac -movflags +faststart ' +
  '-x264-params rc-lookahead=5:sync-lookahead=0:bframes=2:b-pyramid=none:vbv-maxrate=12000:vbv-bufsize=24000';
const compareTranscoding = (file: string, filters: string): Comparison => ({
  file,
  tool: 'ffmpeg',
  isTranscoding: true,
  command: (program, path, target) => [
    program,
    ...ffmpeg,
    path,
    ...'-map 0:V:0 -map 0:a:0? -filter_threads 1 -vf'.split(' '),
    `${filters},format=yuv420p`,
    ...encoders.split(' '),
    `${target}.mp4`,
  ],
});
const hdrFilters =
  ',zscale=p=bt709:t=linear:m=gbr:npl=203,format=gbrpf32le,tonemap=mobius:param=0.25:peak=5:desat=0,zscale=t=bt709:m=bt709:r=limited,format=yuv420p';

/** Converts all frames of an animation in their original size. */
const compareAnimation = (file: string): Comparison => ({
  file,
  tool: 'vipsthumbnail',
  command: (program, path, target) => [program, `${path}[n=-1]`, '--size', '1440x1440>', '-o', `${target}.webp`],
});
/** Extracts the embedded preview of a RAW file with exiftool and shrinks it with vips. */
const compareRaw = (file: string, tag: string): Comparison => ({
  file,
  tool: 'vipsthumbnail',
  command: (program, path, target) => [
    'bash',
    '-c',
    'perl "$0" -b "$1" "$2" > "$3" && "$4" "$3" --size "1440x1440>" -o "$3-small.jpg[Q=80]"',
    exiftool,
    `-${tag}`,
    path,
    target,
    program,
  ],
});

const comparisons: readonly Comparison[] = [
  compareVips('camera-jpeg/Samsung GT-I9505 (Galaxy S4).jpg'),
  compareVips('screenshot/Screenshot_2024-02-01-10-20-30.png'),
  compareVips('formats/denali.webp'),
  compareVips('corrupt/Crash_test.gif'),
  compareVips('formats/G31D_MULTI.TIF'),
  compareVips('orientation/avif-orientation-6.avif'),
  compareHeif('heic/IMG_1034.heic'),
  compareVips('heic/IMG_1034.heic'),
  compareHeif('heic/iphone_13_pro_max.HEIC'),
  {
    file: 'jxl/8bit-sRGB.jxl',
    tool: 'djxl',
    command: (program, path, target) => [program, path, `${target}.jpg`, '--num_threads=0', '--quiet'],
  },
  // vipsthumbnail of Debian 12 makes only a 72-pixel image of this file.
  {
    file: 'formats/balloon.jp2',
    tool: 'opj_decompress',
    command: (program, path, target) => [program, '-i', path, '-o', `${target}.ppm`, '-r', '1', '-threads', '1'],
  },
  comparePoster('formats/example.bmp'),
  compareAnimation('animated/Animation Lossy.webp'),
  compareAnimation('animated/rotating-squares.gif'),
  compareRaw('raw/canon_eos_6d.dng', 'PreviewImage'),
  comparePoster('video/portrait_4k60.mp4'),
  comparePoster('video/earth.mov'),
  comparePoster('video/h265_with_metadata_track.mp4'),
  comparePoster('video/hlg10-color-test.mp4', hdrFilters),
  comparePoster('video/sample_av1.mp4'),
  comparePoster('video/sample.mkv'),
  comparePoster('video/webm.webm'),
  comparePoster('video/100_0306.AVI'),
  comparePoster('video/sample.3gp'),
  comparePoster('video/Sony ILCE-7M3 (A7M3).mts'),
  compareTranscoding('video/hlg10-color-test.mp4', `null${hdrFilters}`),
  compareTranscoding('slow-motion/IMG_slomo_240.MOV', 'fps=60'),
  compareTranscoding('video/sample_av1.mp4', 'null'),
  compareTranscoding('video/webm.webm', 'null'),
  compareTranscoding('video/Sony ILCE-7M3 (A7M3).mts', 'bwdif=mode=send_frame'),
];

const rounds = 5;
const scratch = await makeFolder('formats');
const ownResults = measureOurs([...new Set(comparisons.map(({ file }) => file))]);
const makeRow = (
  file: string,
  what: string,
  { cpuMs, peakBytes }: Pick<Measured, 'cpuMs' | 'peakBytes'>,
  tool: string,
  toolMs: number | undefined,
): string[] => {
  const [cpu, memory] = [`${cpuMs.toFixed(0)} ms`, `${(peakBytes / 1e6).toFixed(0)} MB`];
  const ratio = toolMs === undefined ? 'unsupported' : `${(cpuMs / toolMs).toFixed(2)} ×`;
  return [what, file.split('/').at(-1)!, cpu, memory, tool, ratio];
};
const rows = [
  ...comparisons.map((comparison) => {
    const measured = ownResults.get(comparison.file)!;
    const isTranscoding = comparison.isTranscoding === true;
    const [what, costs] = isTranscoding ? ['transcode', measured.transcoding!] : [measured.format, measured];
    return makeRow(comparison.file, what, costs, comparison.tool, measureTool(comparison));
  }),
  ...[...ownResults].flatMap(([file, measured]) =>
    measured.libheifMs === undefined
      ? []
      : [makeRow(file, measured.format, measured, 'libheif-js alone', measured.libheifMs)],
  ),
];
await removeFolder(scratch);
const head = ['format', 'file', 'Hearth: CPU', 'peak memory', 'tool', 'of the tool'];
const table = [head, head.map((_, i) => (i < 2 || i === 4 ? '---' : '---:')), ...rows].map((cells) =>
  renderRow(...cells),
);
const text = [`${describeMachine()}; mean of ${rounds}, decoders warm, tools with their start.`, '', ...table].join(
  '\n',
);
await publishTable('bench:formats', text, values);

function measureOurs(files: readonly string[]): Map<string, Measured> {
  const program = join(import.meta.dirname, 'measureFormats.ts');
  const paths = files.map((file) => join(media, file));
  const { stdout, status } = spawnSync(process.execPath, [program, ...paths], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('measuring the decoders failed');
  const measured: Measured[] = JSON.parse(stdout);
  return new Map(files.map((file, i) => [file, measured[i]!]));
}

/** Returns the CPU of one run in ms, from the shell's `times`, or undefined if the tool cannot read the file. */
function measureTool({ file, tool, command }: Comparison): number | undefined {
  const missing = missingTool(tool);
  if (missing) throw new Error(missing);
  const words = command(toolPath(tool), join(media, file), join(scratch, 'preview')).map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const script = `for i in ${'x '.repeat(rounds)}; do ${words.join(' ')} >/dev/null || exit 1; done; times`;
  const { stdout, status } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, VIPS_CONCURRENCY: '1' },
  });
  if (status !== 0) return undefined;
  const [user = 0, system = 0] = [
    ...stdout
      .trim()
      .split('\n')
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ].map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds));
  return ((user + system) * 1_000) / rounds;
}
