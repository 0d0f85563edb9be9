import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The pages of the guide that are made of the tree, with their text before it is formatted. */
export const listPages = (): readonly (readonly [path: string, text: string])[] => [
  ['docs/docs/decisions/README.md', renderDecisions()],
  ['docs/docs/dev-guide/notes.md', renderNotes()],
];

const renderDecisions = (): string => {
  const files = globSync('docs/docs/decisions/2*.md', { cwd: root }).toSorted().toReversed();
  const days = Map.groupBy(files, (file) => basename(file).slice(0, 10));
  return [
    '# Decisions',
    'Each has its why, and what else was considered. `npm run docs:pages` writes this page.',
    ...[...days].flatMap(([day, ofDay]) => [`## ${day}`, ofDay.map(describeDecision).join('\n')]),
  ].join('\n\n');
};

/** A decision of the index: its title, and in a sentence what it is about. */
const describeDecision = (file: string): string => {
  const text = read(file);
  const [, title = ''] = /^# (?:\d{4}-\d{2}-\d{2}: )?(.+?)(?: \(\d{4}-\d{2}-\d{2}\))?$/m.exec(text) ?? [];
  const name = basename(file);
  return `- [${title}](${name}): ${firstSentence(plain(text), leastWords)}`;
};

/** The first paragraph or point below the title that is prose, without links and marks. */
const plain = (text: string): string => {
  const [, ...blocks] = text.split(/\n\n+/);
  const prose = blocks.find((block) => !/^(?:#|\||```|!\[)/.test(block)) ?? '';
  const [first = ''] = prose.replace(/^(?:- |\*\*Decision\.\*\* )/, '').split('\n- ');
  return first
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '');
};

const renderNotes = (): string => {
  const files = globSync('{services,operators,load-tests,scripts}/**/*.{ts,mjs,sql}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  const rows = files
    .flatMap((file) =>
      [...read(file).matchAll(/^\s*(?:\*|--|\/\/) \[Note[:] ([^\]]+)\] (.*(?:\n\s*(?:\*|--|\/\/) \S.*)*)/gm)].map(
        ([, title = '', text = '']) => ({ title, file, text: firstSentence(text) }),
      ),
    )
    .toSorted((one, other) => (one.title < other.title ? -1 : 1))
    .map(({ title, file, text }) => `| ${title} | ${text} | [\`${basename(file)}\`](../../../${file}) |`);
  return [
    '# Notes',
    'What several files rely on is explained once, in a comment with a title, and named elsewhere by that title. These are all of them, each with its first sentence. `npm run docs:pages` writes this page.',
    ['| note | what it says | where |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
};

/** As few words as a line of the index of decisions has: some begin with a word or two. */
const leastWords = 5;

/** The first sentence of a comment or a page, on one line, without what a table would take for its own; more than one where it has fewer words. */
const firstSentence = (text: string, words = 1): string => {
  const line = text.replaceAll(/\n\s*(?:\*|--|\/\/) /g, ' ').replaceAll('|', '\\|');
  const ends = [...line.matchAll(/\.(?= |$)/g)].map(({ index }) => line.slice(0, index + 1));
  return ends.find((beginning) => beginning.split(' ').length >= words) ?? line;
};
