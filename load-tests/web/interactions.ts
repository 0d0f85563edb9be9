import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Interaction } from '@hearth/web/e2e/testing/interactions.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import { describeMachine, saveFigures, publishTable, renderRow, formatToday } from '@hearth/testkit/figures/publish.ts';
import { median, quantile } from '@hearth/testkit/figures/statistics.ts';

/*
 * npm run bench:interactions [-- --stories NAME,… --publish]: measures Interaction to Next Paint for each user action
 * in the end-to-end stories, without CPU throttling, one story after another. `--json PATH` writes all interactions.
 * Exits with 1 if the bound is missed.
 */
const { values } = parseArgs({
  options: {
    stories: { type: 'string', default: '' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});

/** Limit of the 95th percentile, in ms. */
const maxMs = 100;

/** Number of slowest interactions to print. */
const maxListed = 8;

/** Test files in the same folder that are not stories. */
const excludedFiles: readonly { readonly file: string; readonly reason: string }[] = [
  { file: 'builtFiles.test.ts', reason: 'checks the build output without a browser' },
  { file: 'pictures.test.ts', reason: 'opens pages by URL to compare screenshots' },
  { file: 'readmePicture.test.ts', reason: 'takes the screenshot of the README' },
];

/** End-to-end tests with user interactions. */
const stories = globSync('services/web/e2e/*.test.ts')
  .filter((path) => !excludedFiles.some(({ file }) => path.endsWith(`/${file}`)))
  .filter((path) => values.stories.split(',').some((name) => path.includes(name)))
  .toSorted();

/** Runs a story as `npm test` does. @throws if it fails */
const runStory = async (story: string, path: string): Promise<void> => {
  const runner = spawn(process.execPath, ['scripts/runTests.ts', story], {
    env: { ...process.env, HEARTH_KEEP_INTERACTIONS: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(runner, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${story} failed`);
  console.log(`ran ${story}`);
};

/** Returns one entry per interaction: the longest of its events. */
const readInteractions = async (path: string): Promise<Interaction[]> => {
  const longest = new Map<string, Interaction>();
  for (const line of (await readFile(path, 'utf8')).trim().split('\n')) {
    const interaction = JSON.parse(line) as Interaction;
    const key = `${interaction.document} ${interaction.id}`;
    if (interaction.ms > (longest.get(key)?.ms ?? 0)) longest.set(key, interaction);
  }
  return [...longest.values()];
};

/** Groups pages of the same type, regardless of what they show. */
const getPage = ({ path }: Interaction): string => path.replace(/(\/[^/]+)\/.+/, '$1/…');

const ms = (value: number): string => `${Math.round(value)} ms`;

/**
 * Kinds of interactions. Keys are separate, because the keyboard-only stories press so many that they would dominate
 * the result.
 */
const kinds = [
  { name: 'clicks and taps', has: ({ event }: Interaction) => !event.startsWith('key') },
  { name: 'keys', has: ({ event }: Interaction) => event.startsWith('key') },
] as const;

/** Returns the durations per kind, without empty kinds. */
const groupTimes = (
  interactions: readonly Interaction[],
): { readonly name: string; readonly times: readonly number[] }[] =>
  kinds
    .map(({ name, has }) => ({ name, times: interactions.filter(has).map((each) => each.ms) }))
    .filter(({ times }) => times.length > 0);

const describe = (interactions: readonly Interaction[]): string =>
  [
    `${formatToday()}: ${stories.length} stories, 1280 × 800 pixels, no CPU throttling; ${describeMachine()}.`,
    '',
    renderRow('interactions of 16 ms and more', 'number', 'median', `95 % (target ≤ ${ms(maxMs)})`, 'slowest'),
    renderRow('---', '---:', '---:', '---:', '---:'),
    ...groupTimes(interactions).map(({ name, times }) =>
      renderRow(name, String(times.length), ms(median(times)), ms(quantile(times, 0.95)), ms(Math.max(...times))),
    ),
  ].join('\n');

/** Formats an interaction with its duration, input delay and handler time. */
const describeOne = (each: Interaction): string =>
  `${ms(each.ms)} (\`${each.event}\` on “${each.element}”, \`${getPage(each)}\`, began after ${ms(each.waitedMs)}, handled in ${ms(each.handledMs)})`;

const directory = await makeFolder('bench-interactions');
try {
  const path = join(directory, 'interactions.jsonl');
  for (const story of stories) await runStory(story, path);
  const interactions = await readInteractions(path);
  await saveFigures(values.json, { interactions });
  await publishTable('bench:interactions', describe(interactions), values);
  const slowest = interactions.toSorted((a, b) => b.ms - a.ms).slice(0, maxListed);
  console.log(`The slowest: ${slowest.map(describeOne).join(', ')}.`);
  for (const { name, times } of groupTimes(interactions)) {
    const reached = quantile(times, 0.95);
    if (reached <= maxMs) continue;
    console.error(`missed: 95 % of the ${name} took up to ${reached} ms`);
    process.exitCode = 1;
  }
} finally {
  await removeFolder(directory);
}
