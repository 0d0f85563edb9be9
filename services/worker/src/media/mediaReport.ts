/**
 * `node services/worker/src/media/mediaReport.ts`: what this code makes of every still picture of the test media, and
 * what METADATA makes of all of them, and where that is not what the manifest expects. Exits 1 on a disagreement that is not a known shortfall, and
 * on a known shortfall that no longer is one.
 */
import { availableParallelism, tmpdir } from 'node:os';
import { DecodeError } from './decodeError.ts';
import { openDecoderPool } from './decoderPool.ts';
import { openExiftool } from './exiftool.ts';
import { reportMetadata } from './metadataReport.ts';
import { examinePhoto, type PhotoFindings } from './testing/examinePhoto.ts';
import { formatOffset, judgePhoto } from './testing/judgePhoto.ts';
import { lacksMedia, listTestPhotos } from './testing/mediaSet.ts';

/** Files that fall short, by name, each with the reason. */
const knownShortfalls: Readonly<Record<string, string>> = {};

process.exitCode = lacksMedia ? 1 : await report();
if (lacksMedia) process.stdout.write(`${lacksMedia}\n`);

async function report(): Promise<number> {
  const pool = openDecoderPool({
    size: availableParallelism(),
    timeoutMs: 60_000,
    memoryLimitBytes: 2e9,
    maxPixels: 150e6,
  });
  const exiftool = await openExiftool({ timeoutMs: 30_000, maxProcs: 1 });
  const photos = listTestPhotos();
  let surprises = 0;
  const examined = photos.map(async (photo) => ({
    photo,
    findings: await examinePhoto(photo, { decoders: pool, exiftool, scratchDirectory: tmpdir() }),
  }));
  for (const { photo, findings } of await Promise.all(examined)) {
    process.stdout.write(`${photo.name.padEnd(60)} ${describe(findings)}\n`);
    const disagreements = judgePhoto(photo.expected, findings);
    const known = knownShortfalls[photo.name];
    if (disagreements.length > 0 !== (known !== undefined)) surprises += 1;
    if (known) process.stdout.write(`    known shortfall: ${known}\n`);
    for (const disagreement of disagreements) process.stdout.write(`    ${disagreement}\n`);
  }
  const metadata = await reportMetadata(exiftool);
  surprises += metadata.surprises;
  process.stdout.write(`Values of METADATA that agree, over all files:\n${metadata.lines.join('\n')}\n`);
  await Promise.all([pool.close(), exiftool.end()]);
  process.stdout.write(
    `${photos.length} files, ${Object.keys(knownShortfalls).length} known shortfalls, ${surprises} surprises\n`,
  );
  return surprises === 0 ? 0 : 1;
}

function describe({ metadata, rendering, thumbnailDistance }: PhotoFindings): string {
  const { captureTime, position, cameraModel, exposureTime } = metadata;
  return [
    rendering instanceof DecodeError ? rendering.code : ['READY', ...rendering.warnings].join(' '),
    rendering instanceof DecodeError ? '' : `${rendering.width}×${rendering.height} bits ${thumbnailDistance}`,
    captureTime ? `${captureTime.localTime} ${formatOffset(captureTime.utcOffsetMinutes) ?? '?'}` : 'no date',
    position ? `${position.latitude.toFixed(4)},${position.longitude.toFixed(4)}` : '',
    cameraModel ?? '',
    exposureTime ? `${exposureTime.toPrecision(3)} s` : '',
  ].join(' | ');
}
