/**
 * The program that `npm run bench:formats` starts: renders each file that it is given five times in a decoder that is warm, and tells as one
 * line of JSON what CPU and memory that took. RAW files also take exiftool's.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDecoderPool } from './decoderPool.ts';
import { openExiftool } from './exiftool.ts';
import { findPhotoFormat } from './photoFormat.ts';
import { renderStill } from './renderStill.ts';

const rounds = 5;
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const scratchDirectory = await mkdtemp(join(tmpdir(), 'hearth-measure-'));
const measured = [];
for (const path of process.argv.slice(2)) {
  const decoders = openDecoderPool({ size: 1, timeoutMs: 60_000, memoryLimitBytes: 2e9, maxPixels: 150e6 });
  const exiftool = await openExiftool({ timeoutMs: 60_000, maxProcs: 1 });
  const pids = (): number[] => [...decoders.childPids(), ...exiftool.childPids()];
  // The first one loads the decoders.
  await renderStill(path, { decoders, exiftool, scratchDirectory });
  const before = cpuSeconds(pids());
  for (let round = 0; round < rounds; round += 1) await renderStill(path, { decoders, exiftool, scratchDirectory });
  const cpuMs = ((cpuSeconds(pids()) - before) * 1_000) / rounds;
  measured.push({ path, format: await findPhotoFormat(path), cpuMs, peakBytes: peakBytes(decoders.childPids()) });
  await Promise.all([decoders.close(), exiftool.end()]);
}
await rm(scratchDirectory, { recursive: true });
process.stdout.write(`${JSON.stringify(measured)}\n`);

/** User and system time: the 14th and 15th field, of which the second may hold blanks (proc(5)). */
function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [Number(fields[11]), Number(fields[12])];
  });
  return ticks.reduce((sum, count) => sum + count, 0) / ticksPerSecond;
}

function peakBytes(pids: readonly number[]): number {
  const peaks = pids.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0));
  return Math.max(...peaks) * 1024;
}
