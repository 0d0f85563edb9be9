import { listPortraits } from '@hearth/testkit/pictures/portraits.ts';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { findFaces } from '@hearth/inference/faces/findFaces.ts';
import type { RunModel } from '@hearth/inference/pixels/tensor.ts';

/** Runs per photo. The fastest one is the least disturbed by other load. */
const runsPerPhoto = 8;

/** Measures single-core CPU beyond the decode, in ms: per photo without a face, and per face. */
export const measureCost = async (run: RunModel) => {
  const photos = [];
  for (const { path } of listPortraits().filter(({ faces }) => faces !== undefined)) {
    const sizes = [await readTestPixels(path, 640), await readTestPixels(path, 1_440)];
    photos.push(await measureRun(run, sizes));
  }
  const without = photos.filter(({ faces }) => faces === 0).map(({ ms }) => ms);
  const msWithoutFace = without.reduce((sum, ms) => sum + ms, 0) / without.length;
  const others = photos.filter(({ faces }) => faces > 0);
  const perFace = others.map(({ ms, faces }) => (ms - msWithoutFace) / faces).toSorted((a, b) => a - b);
  return {
    msWithoutFace: Number(msWithoutFace.toFixed(1)),
    msPerFace: Number(perFace[Math.floor(perFace.length / 2)]!.toFixed(1)),
  };
};

const measureRun = async (run: RunModel, sizes: Parameters<typeof findFaces>[1]) => {
  let [ms, faces] = [Infinity, 0];
  for (let time = 0; time < runsPerPhoto; time += 1) {
    const before = process.cpuUsage();
    faces = (await findFaces(run, sizes)).length;
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, (user + system) / 1_000);
  }
  return { ms, faces };
};
