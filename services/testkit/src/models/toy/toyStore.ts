import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginToken, endToken } from '@hearth/inference/embeddings/clipTokens.ts';
import type { ModelFile } from '@hearth/inference/models/model.ts';
import { getModelFolder, getModel, type ModelName } from '@hearth/inference/models/models.ts';
import type { ModelStore } from '@hearth/inference/store/modelStore.ts';
import { toyObject, toyScenes, toyWeights, toyWords } from './toyGraphs.ts';

/** Opens a store of toy models, see [Note: Toy models]. The folder is named after its contents and shared by all processes. */
export const openToyStore = (): ModelStore => {
  const contents = new Map<string, Buffer>();
  const files: Partial<Record<ModelName, readonly ModelFile[]>> = {};
  for (const [key, makeWeights] of Object.entries(toyWeights)) {
    const model = key as ModelName;
    files[model] = getModel(model).files.map(({ name, origin }, nth) => {
      const bytes = nth === 0 ? makeWeights() : Buffer.from(lists[name] ?? '');
      contents.set(join(getModelFolder(model), name), bytes);
      return { name, origin, bytes: bytes.length, sha256: computeSha256(bytes) };
    });
  }
  const name = `hearth-toy-models-${computeSha256(JSON.stringify(files)).slice(0, 12)}`;
  const directory = join(tmpdir(), name);
  if (!existsSync(directory)) writeFolder(directory, contents);
  return { directory, mirror: undefined, isOffline: true, files };
};

const computeSha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a temporary folder, and renames it when it is complete. If several processes do so, the first one wins. */
const writeFolder = (directory: string, contents: ReadonlyMap<string, Buffer>): void => {
  const draft = mkdtempSync(`${directory}-`);
  for (const [path, bytes] of contents) {
    mkdirSync(join(draft, path, '..'), { recursive: true });
    writeFileSync(join(draft, path), bytes);
  }
  try {
    renameSync(draft, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(draft, { recursive: true });
  }
};

const makeList = (count: number, names: Readonly<Record<number, string>>): string =>
  Array.from({ length: count }, (_, number) => `${names[number] ?? `unknown ${number}`}\n`).join('');

const words = Object.keys(toyWords);

/** Merges of letters: `g r`, `gr e`, `gre e`, … The last letter of a word ends with `</w>`. */
const merges = words.flatMap((word) => {
  const letters = [...Array.from(word.slice(0, -1)), `${word.at(-1)}</w>`];
  return letters.slice(1).map((letter, nth) => ({ left: letters.slice(0, nth + 1).join(''), right: letter }));
});

/** Tokens from 1: the words, then their parts. */
const tokens = new Set([
  ...words.map((word) => `${word}</w>`),
  ...merges.flatMap(({ left, right }) => [...Array.from(left), left, right, left + right]),
]);

/** The files next to the weights, by name. */
const lists: Readonly<Record<string, string>> = {
  'synset.txt': makeList(1_000, toyScenes),
  'coco_classes.txt': makeList(80, { [toyObject.number]: toyObject.name }),
  'vocab.json': JSON.stringify({
    ...Object.fromEntries([...tokens].map((token, nth) => [token, nth + 1])),
    '<|startoftext|>': beginToken,
    '<|endoftext|>': endToken,
  }),
  'merges.txt': `#version: 0.2\n${merges.map(({ left, right }) => `${left} ${right}\n`).join('')}`,
};
