import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { readTestPixels } from '@hearth/testkit/pictures/readTestPixels.ts';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import type { Face } from './faces/findFaces.ts';
import { listModelNames } from './models/models.ts';
import { findLargest, type PictureSizes } from './pixels/rgbPixels.ts';
import type { Point } from './pixels/samplePixels.ts';
import type { Subject } from './process/inferenceProtocol.ts';
import { openSessions, type Sessions } from './process/sessions.ts';
import { tasks } from './process/tasks.ts';
import { runSecondImplementation } from '@hearth/testkit/models/runSecondImplementation.ts';
import { lacksModels, listPictures, testSettings } from '@hearth/testkit/models/testModels.ts';

/**
 * Results of the second implementation, which is in Python. Positions are in pixels of the largest size; boxes are
 * left, top, right, bottom.
 */
interface SecondResults {
  readonly faces: readonly { score: number; box: number[]; landmarks: [number, number][]; embedding: number[] }[];
  readonly labels: {
    readonly scenes: readonly { kind: number; probability: number }[];
    readonly objects: readonly { kind: number; score: number; box: number[] }[];
  };
  readonly text: readonly { text: string; confidence: number; corners: [number, number][] }[];
}

/** Longer sides of the pictures for each task, in pixels. Tasks scale other sizes down from these. */
const sidesByTask = { faces: [640, 1440], labels: [640], text: [1440] } as const;

/** Pictures of each kind: portraits and crowds, photos with and without objects, signs and pages in four languages. */
const pathsByTask = {
  faces: [...listFew('faces', 3), ...listFew('face-count', 2)],
  labels: [...listFew('things', 1), ...listFew('things-imagenet', 10)],
  text: [...listFew('text', 2), ...listFew('screenshot', 3)],
};

function listFew(kind: string, every: number): string[] {
  return lacksModels === false ? listPictures(kind).filter((_, i) => i % every === 0) : [];
}

const skip = lacksModels || missingTool('python-onnxruntime');

let folder: string;
let sessions: Sessions;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-second-'));
  if (skip === false) sessions = await openSessions(testSettings);
});
after(() => rm(folder, { recursive: true }));

/** Returns the results of both implementations for the pictures of a task. */
async function findTwice<Task extends keyof SecondResults>(task: Task) {
  const pictures = await Promise.all(
    pathsByTask[task].map(async (path) => ({
      name: basename(path),
      sizes: await Promise.all(sidesByTask[task].map((side) => readTestPixels(path, side))),
    })),
  );
  const second = await runSecond(task, pictures);
  const compared = [];
  for (const [i, { name, sizes }] of pictures.entries())
    compared.push({
      name,
      sizes,
      ours: await tasks[task](sessions, sizes as PictureSizes as Subject<Task>),
      theirs: second[i]!,
    });
  return compared;
}

async function runSecond<Task extends keyof SecondResults>(
  task: Task,
  pictures: readonly { readonly sizes: PictureSizes }[],
): Promise<SecondResults[Task][]> {
  const paths = await Promise.all(
    listModelNames('concept-lite').map(async (name) => [name, (await sessions.open(name)).paths] as const),
  );
  const files = pictures.map(async ({ sizes }, i) => ({
    task,
    sizes: await Promise.all(
      sizes.map(async ({ data, width, height }, j) => {
        const path = join(folder, `${task}-${i}-${j}`);
        await writeFile(path, data);
        return { path, width, height };
      }),
    ),
  }));
  const job = {
    models: Object.fromEntries(paths.map(([name, [weights]]) => [name, weights])),
    alphabet: Object.fromEntries(paths)['ppocr-v4-recognition']![1],
    pictures: await Promise.all(files),
  };
  return runSecondImplementation<SecondResults[Task][]>(job);
}

const toPixels = (sizes: PictureSizes, { x, y }: Point): [number, number] => {
  const { width, height } = findLargest(sizes);
  return [x * width, y * height];
};

const toCorners = (sizes: PictureSizes, { left, top, width, height }: Face['box']): number[] => [
  ...toPixels(sizes, { x: left, y: top }),
  ...toPixels(sizes, { x: left + width, y: top + height }),
];

/** Asserts that no two corresponding numbers differ by more than `maxDifference`. */
const assertClose = (ours: readonly number[], theirs: readonly number[], maxDifference: number, what: string): void => {
  assert.equal(ours.length, theirs.length, what);
  const difference = Math.max(...ours.map((each, i) => Math.abs(each - theirs[i]!)));
  assert.ok(difference <= maxDifference, `${what}: differs by ${difference}`);
};

test(
  'finds the same faces as a second implementation, within a pixel, with the same embeddings',
  { skip },
  async () => {
    let count = 0;
    for (const { name, sizes, ours, theirs } of await findTwice('faces')) {
      assert.equal(ours.length, theirs.length, name);
      for (const [i, face] of ours.entries()) {
        const other = theirs[i]!;
        assertClose([face.score], [other.score], 0.01, `${name}: score`);
        assertClose(toCorners(sizes, face.box), other.box, 1, `${name}: box`);
        assertClose(
          face.landmarks.flatMap((each) => toPixels(sizes, each)),
          other.landmarks.flat(),
          1,
          `${name}: landmarks`,
        );
        const cosine = face.embedding.reduce((sum, value, k) => sum + value * other.embedding[k]!, 0);
        assert.ok(cosine >= 0.999, `${name}: cosine ${cosine}`);
        count += 1;
      }
    }
    assert.ok(count >= 15);
  },
);

test('finds the same scenes and objects as a second implementation', { skip }, async () => {
  const [, list = ''] = (await sessions.open('shufflenet-v2-int8')).paths;
  const kinds = (await readFile(list, 'utf8')).split('\n');
  let count = 0;
  for (const { name, sizes, ours, theirs } of await findTwice('labels')) {
    const { scenes, objects } = ours;
    const [best, next] = theirs.scenes.map(({ kind, probability }) => ({ kind: kinds[kind], probability }));
    // The weights have 8 bits, so differently rounded colours matter: a difference of 0.056 was seen.
    if (best!.probability > next!.probability + 0.1) assert.equal(scenes[0]!.kind, best!.kind, name);
    assertClose([scenes[0]!.probability], [best!.probability], 0.1, `${name}: ${best!.kind}`);
    assert.equal(objects.length, theirs.objects.length, name);
    for (const [i, { score, box }] of objects.entries()) {
      assertClose([score], [theirs.objects[i]!.score], 0.01, `${name}: score`);
      assertClose(toCorners(sizes, box), theirs.objects[i]!.box, 1, `${name}: box`);
      count += 1;
    }
  }
  assert.ok(count >= 15);
});

test('reads the same text as a second implementation', { skip }, async () => {
  let count = 0;
  for (const { name, sizes, ours, theirs } of await findTwice('text')) {
    assert.deepEqual(
      ours.map(({ text }) => text),
      theirs.map(({ text }) => text),
      name,
    );
    for (const [i, { corners }] of ours.entries()) {
      assertClose(
        corners.flatMap((each) => toPixels(sizes, each)),
        theirs[i]!.corners.flat(),
        1,
        `${name}: corners`,
      );
      count += 1;
    }
  }
  assert.ok(count >= 30);
});
