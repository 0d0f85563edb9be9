import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Interaction } from '../../services/web/e2e/testing/interactions.ts';
import { makeFolder, removeFolder } from '../harness/folder.ts';
import { describeMachine, keepFigures, publishTable, row, today } from '../harness/publish.ts';
import { median, quantile } from '../harness/statistics.ts';

/*
 * npm run bench:interactions [-- --stories NAME,… --publish]: how long the web app takes from each thing that somebody does in the end-to-end
 * stories until the next frame shows it (Interaction to Next Paint), Chromium not slowed down, one story after the other. `--json PATH` keeps all
 * interactions. Ends with 1 where the bound is missed.
 */
const { values } = parseArgs({
  options: {
    stories: { type: 'string', default: '' },
    json: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});

/** Milliseconds that 95 of 100 interactions may take at most. */
const boundMs = 100;

/** As many of the slowest ones are listed. */
const listed = 8;

/** All stories but those that only take pictures. */
const stories = globSync('services/web/e2e/*.test.ts')
  .filter((path) => !/picture/i.test(path))
  .filter((path) => values.stories.split(',').some((name) => path.includes(name)))
  .toSorted();

/** Runs a story as `npm test` does. @throws where it fails */
const play = async (story: string, path: string): Promise<void> => {
  const runner = spawn(process.execPath, ['scripts/runTests.ts', story], {
    env: { ...process.env, HEARTH_KEEP_INTERACTIONS: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(runner, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${story} has failed`);
  console.log(`played ${story}`);
};

/** One for each interaction, that of its events which took longest. */
const readInteractions = async (path: string): Promise<Interaction[]> => {
  const longest = new Map<string, Interaction>();
  for (const line of (await readFile(path, 'utf8')).trim().split('\n')) {
    const interaction = JSON.parse(line) as Interaction;
    const key = `${interaction.document} ${interaction.id}`;
    if (interaction.ms > (longest.get(key)?.ms ?? 0)) longest.set(key, interaction);
  }
  return [...longest.values()];
};

/** Pages are alike whatever they show. */
const pageOf = ({ path }: Interaction): string => path.replace(/(\/[^/]+)\/.+/, '$1/…');

const ms = (value: number): string => `${Math.round(value)} ms`;

const describe = (interactions: readonly Interaction[]): string => {
  const all = interactions.map((each) => each.ms);
  const slowest = interactions.toSorted((a, b) => b.ms - a.ms).slice(0, listed);
  return [
    `${today()}: ${stories.length} stories, 1280 × 800 pixels, not slowed down; ${describeMachine()}.`,
    '',
    row('interactions of 16 ms and more', 'median', `95 % (wanted ≤ ${ms(boundMs)})`, 'slowest'),
    row('---:', '---:', '---:', '---:'),
    row(String(all.length), ms(median(all)), ms(quantile(all, 0.95)), ms(Math.max(...all))),
    '',
    `The slowest: ${slowest.map((each) => `${ms(each.ms)} (\`${each.event}\`, \`${pageOf(each)}\`)`).join(', ')}.`,
  ].join('\n');
};

const directory = await makeFolder('bench-interactions');
try {
  const path = join(directory, 'interactions.jsonl');
  for (const story of stories) await play(story, path);
  const interactions = await readInteractions(path);
  await keepFigures(values.json, { interactions });
  await publishTable('bench:interactions', describe(interactions), values);
  const reached = quantile(
    interactions.map((each) => each.ms),
    0.95,
  );
  if (reached > boundMs) {
    console.error(`missed: 95 % of the interactions took up to ${reached} ms`);
    process.exitCode = 1;
  }
} finally {
  await removeFolder(directory);
}
