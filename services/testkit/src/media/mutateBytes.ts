import type { Random } from '../run/seededRandom.ts';

/** Returns the bytes with one to three faults, like those of disks, networks and attackers. `others` are files to splice in. */
export const mutateBytes = (random: Random, bytes: Buffer, others: readonly Buffer[]): Buffer => {
  let mutated = bytes;
  for (let faults = 1 + random.below(3); faults > 0; faults--)
    mutated = random.pick(mutations)(random, mutated, others);
  return mutated;
};

type Mutation = (random: Random, bytes: Buffer, others: readonly Buffer[]) => Buffer;

/** Returns a random position, more often near the beginning, where headers and sizes are. */
const pickPosition = (random: Random, { length }: Buffer): number =>
  random.chance(0.5) ? random.below(Math.min(length, 512) + 1) : random.below(length + 1);

const flipBits: Mutation = (random, bytes) => {
  const copy = Buffer.from(bytes);
  for (let flips = 1 + random.below(8); flips > 0 && copy.length > 0; flips--) {
    const at = Math.min(pickPosition(random, copy), copy.length - 1);
    copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  }
  return copy;
};

const truncate: Mutation = (random, bytes) => bytes.subarray(0, pickPosition(random, bytes));

const cutOut: Mutation = (random, bytes) => {
  const at = pickPosition(random, bytes);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(200))]);
};

const repeat: Mutation = (random, bytes) => {
  const at = pickPosition(random, bytes);
  const part = bytes.subarray(at, at + random.below(200));
  return Buffer.concat([bytes.subarray(0, at), part, part, bytes.subarray(at)]);
};

const splice: Mutation = (random, bytes, others) => {
  const other = others.length === 0 ? bytes : random.pick(others);
  return Buffer.concat([bytes.subarray(0, pickPosition(random, bytes)), other.subarray(pickPosition(random, other))]);
};

const insertNoise: Mutation = (random, bytes) => {
  const at = pickPosition(random, bytes);
  return Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(64)), bytes.subarray(at)]);
};

const sizes = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff] as const;

/** Overwrites a possible width, length or offset, in either byte order. */
const overwriteSize: Mutation = (random, bytes) => {
  if (bytes.length < 4) return bytes;
  const copy = Buffer.from(bytes);
  const at = Math.min(pickPosition(random, copy), copy.length - 4);
  const size = random.pick(sizes);
  random.pick([
    () => copy.writeUInt8(size & 0xff, at),
    () => copy.writeUInt16BE(size & 0xffff, at),
    () => copy.writeUInt32BE(size, at),
    () => copy.writeUInt32LE(size, at),
  ])();
  return copy;
};

const overwriteRun: Mutation = (random, bytes) => {
  const copy = Buffer.from(bytes);
  const at = pickPosition(random, copy);
  return copy.fill(random.pick([0, 0xff, 0x20]), at, Math.min(copy.length, at + random.below(300)));
};

const mutations: readonly Mutation[] = [
  flipBits,
  flipBits,
  truncate,
  cutOut,
  repeat,
  splice,
  insertNoise,
  overwriteSize,
  overwriteSize,
  overwriteRun,
];
