import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingTool, toolPath, type ToolName } from '@hearth/core/testing/tools.ts';
import { describeMachine } from './machine.ts';
import { publishSection } from './publishSection.ts';

/*
 * npm run bench:formats: the CPU of showing a photo of each format (preview, thumbnail and placeholder), beside the best command-line tool
 * for it, which makes a preview only. The photos are those of the test media.
 *
 *   --publish   writes the table into the guide
 */
const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });
const media = join(process.env['HEARTH_TEST_DATA'] ?? join(import.meta.dirname, '../../../shared'), 'media');
if (!existsSync(media)) throw new Error('the test media are not here (HEARTH_TEST_DATA)');

/** What the decoders took for one file. */
interface Measured {
  readonly format: string;
  readonly cpuMs: number;
  readonly peakBytes: number;
  /** Of a HEIC: libheif-js in the same run, for its pixels alone. */
  readonly libheifMs?: number;
}

/** A file of each format, and the command that makes a preview of it, or decodes it where no tool does both. */
interface Contest {
  readonly file: string;
  readonly tool: ToolName;
  readonly command: (program: string, file: string, target: string) => readonly string[];
}

const vips = (file: string): Contest => ({
  file,
  tool: 'vipsthumbnail',
  command: (program, path, target) => [program, path, '--size', '1440x1440>', '-o', `${target}.jpg[Q=80]`],
});
const heif = (file: string): Contest => ({
  file,
  tool: 'heif-convert',
  command: (program, path, target) => [program, '-q', '80', path, `${target}.jpg`],
});

const contests: readonly Contest[] = [
  vips('camera-jpeg/Samsung GT-I9505 (Galaxy S4).jpg'),
  vips('screenshot/Screenshot_2024-02-01-10-20-30.png'),
  vips('formats/denali.webp'),
  vips('corrupt/Crash_test.gif'),
  vips('formats/G31D_MULTI.TIF'),
  vips('orientation/avif-orientation-6.avif'),
  heif('heic/IMG_1034.heic'),
  vips('heic/IMG_1034.heic'),
  heif('heic/iphone_13_pro_max.HEIC'),
  {
    file: 'jxl/8bit-sRGB.jxl',
    tool: 'djxl',
    command: (program, path, target) => [program, path, `${target}.jpg`, '--num_threads=0', '--quiet'],
  },
  // vipsthumbnail of Debian 12 makes one of 72 pixels of it.
  {
    file: 'formats/balloon.jp2',
    tool: 'opj_decompress',
    command: (program, path, target) => [program, '-i', path, '-o', `${target}.ppm`, '-r', '1', '-threads', '1'],
  },
];

const rounds = 5;
const scratch = await mkdtemp(join(tmpdir(), 'hearth-formats-'));
const ours = measureOurs([...new Set(contests.map(({ file }) => file))]);
const makeRow = (file: string, tool: string, toolMs: number | undefined): string[] => {
  const { format, cpuMs, peakBytes } = ours.get(file)!;
  const [cpu, memory] = [`${cpuMs.toFixed(0)} ms`, `${(peakBytes / 1e6).toFixed(0)} MB`];
  const them =
    toolMs === undefined ? ['does not read it', ''] : [`${toolMs.toFixed(0)} ms`, `${(cpuMs / toolMs).toFixed(2)} ×`];
  return [format, file.split('/').at(-1)!, cpu, memory, tool, ...them];
};
const rows = [
  ...contests.map((contest) => makeRow(contest.file, contest.tool, measureTool(contest))),
  ...[...ours].flatMap(([file, { libheifMs }]) =>
    libheifMs === undefined ? [] : [makeRow(file, 'libheif-js alone', libheifMs)],
  ),
];
await rm(scratch, { recursive: true });
const head = ['format', 'file', 'Hearth: CPU', 'peak memory', 'tool', 'tool: CPU', 'of the tool'];
const table = [head, head.map((_, i) => (i < 2 || i === 4 ? '---' : '---:')), ...rows].map(
  (cells) => `| ${cells.join(' | ')} |`,
);
const text = [`${describeMachine()}; mean of ${rounds}, decoders warm, tools with their start.`, '', ...table].join(
  '\n',
);
console.log(text);
if (values.publish) await publishSection('bench:formats', text);

function measureOurs(files: readonly string[]): Map<string, Measured> {
  const program = join(import.meta.dirname, '../../services/worker/src/media/measureFormats.ts');
  const paths = files.map((file) => join(media, file));
  const { stdout, status } = spawnSync(process.execPath, [program, ...paths], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the decoders could not be measured');
  const measured: Measured[] = JSON.parse(stdout);
  return new Map(files.map((file, i) => [file, measured[i]!]));
}

/** CPU of one run, by what the shell says of its children; undefined where the tool cannot read the file. */
function measureTool({ file, tool, command }: Contest): number | undefined {
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
