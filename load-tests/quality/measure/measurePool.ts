/**
 * node load-tests/quality/measure/measurePool.ts
 *
 * Measures the single-core CPU per photo of all components of the `ml` pool, and of one decode of its preview to all
 * sizes they need. Prints JSON. Cropping faces, storage and the database are not included. It runs in its own process,
 * so that nothing else competes for CPU.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentsIn } from '@hearth/core/config/pipeline.ts';
import { makePreview } from '@hearth/testkit/pictures/pictureVariants.ts';
import { embeddingSides } from '@hearth/inference/embeddings/embedding.ts';
import type { Subject, TaskName } from '@hearth/inference/process/inferenceProtocol.ts';
import { openSessions } from '@hearth/inference/process/sessions.ts';
import { tasks } from '@hearth/inference/process/tasks.ts';
import { givenModels, lacksModels, listPictures, testSettings } from '@hearth/testkit/models/testModels.ts';
import { textSides } from '@hearth/inference/text/findText.ts';
import { textCheckSides } from '@hearth/inference/text/mayShowText.ts';
import { explainUnavailable } from '@hearth/inference/taskModels.ts';
import { components } from '@hearth/worker/pipeline/components.ts';
import { previewQuality, previewSize } from '@hearth/worker/media/pictures/photoPreview.ts';
import { readPixels } from '@hearth/worker/media/photo/readPixels.ts';

if (lacksModels !== false) throw new Error(lacksModels);

/** Runs per photo. The fastest one is the least disturbed by other load. */
const runsPerPhoto = 3;

/** Task and decoded sizes of each component. */
const tasksByPart = {
  things: { task: 'labels', sides: [640, 416] },
  faces: { task: 'faces', sides: [640, previewSize] },
  glance: { task: 'glance', sides: textCheckSides },
  meaning: { task: 'meaning', sides: embeddingSides },
} as const satisfies Record<string, { task: TaskName; sides: readonly number[] }>;

const sides = [...new Set(componentsIn('ml').flatMap(({ name }) => components[name].previewSizes ?? []))];

const settings = { ...testSettings, store: givenModels, searchModel: 'tinyclip-vit-8m-16' } as const;
const meaning = (await explainUnavailable(settings, 'meaning')) === undefined ? settings : testSettings;
const sessions = await openSessions(testSettings);
const meaningSessions = await openSessions(meaning);

const measureCpu = async <Result>(
  work: () => Promise<Result>,
): Promise<{ readonly ms: number; readonly result: Result }> => {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, result };
};

type Part = 'decode' | keyof typeof tasksByPart | 'text';

const processOnce = async (path: string): Promise<Record<Part, number>> => {
  const decode = await measureCpu(() => readPixels({ path, sides, maxPixels: previewSize ** 2 }));
  const pickSizes = (wanted: readonly number[]) =>
    wanted.map((side) => decode.result[sides.indexOf(side)]!) as unknown as Subject<'labels'>;
  const costs: Record<Part, number> = { decode: decode.ms, things: 0, faces: 0, glance: 0, meaning: 0, text: 0 };
  for (const [part, { task, sides: wanted }] of Object.entries(tasksByPart) as [
    keyof typeof tasksByPart,
    (typeof tasksByPart)['things'],
  ][]) {
    const { ms, result } = await measureCpu<unknown>(() =>
      tasks[task](part === 'meaning' ? meaningSessions : sessions, pickSizes(wanted)),
    );
    costs[part] = ms;
    if (part === 'glance' && result === true)
      costs.text = (await measureCpu(() => tasks.text(sessions, pickSizes(textSides)))).ms;
  }
  return costs;
};

const folder = await mkdtemp(join(tmpdir(), 'hearth-pool-'));
const photos: Record<Part, number>[] = [];
const pictures = listPictures('camera-jpeg', 'face-count', 'gps', 'places', 'text', 'things');
for (const [nth, picture] of pictures.entries()) {
  const path = join(folder, `${nth}.jpg`);
  await writeFile(path, await makePreview(picture, previewSize, previewQuality));
  if (nth === 0) await processOnce(path);
  const costs: Record<Part, number>[] = [];
  for (let time = 0; time < runsPerPhoto; time += 1) costs.push(await processOnce(path));
  const minimum = (part: Part): number => Math.min(...costs.map((each) => each[part]));
  photos.push(
    Object.fromEntries((Object.keys(costs[0]!) as Part[]).map((part) => [part, minimum(part)])) as Record<Part, number>,
  );
}
await rm(folder, { recursive: true });

const getSpread = (values: readonly number[]) => ({
  msMedian: values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!,
  msMean: values.reduce((sum, value) => sum + value, 0) / values.length,
});
const sumParts = ({ things, faces, glance, text, meaning: meaningMs }: Record<Part, number>): number =>
  things + faces + glance + text + meaningMs;
process.stdout.write(
  JSON.stringify({
    photos: photos.length,
    withText: photos.filter(({ text }) => text > 0).length,
    searchModel: meaning.searchModel,
    decode: getSpread(photos.map(({ decode }) => decode)),
    things: getSpread(photos.map(({ things }) => things)),
    faces: getSpread(photos.map(({ faces }) => faces)),
    text: getSpread(photos.map(({ glance, text }) => glance + text)),
    meaning: getSpread(photos.map((each) => each.meaning)),
    pool: getSpread(photos.map(sumParts)),
  }),
);
