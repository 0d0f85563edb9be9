import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The generated pages of the guide, with their text before formatting. */
export const listPages = (): readonly (readonly [path: string, text: string])[] => [
  ['docs/docs/decisions/README.md', renderDecisions()],
  ['docs/docs/dev-guide/notes.md', renderNotes()],
];

const renderDecisions = (): string => {
  const records = globSync('docs/docs/decisions/*.md', { cwd: root }).filter((file) => basename(file) !== 'README.md');
  return [
    '# Decisions',
    'Why Hearth is built as it is: one record per subject, with what was tried and rejected. `npm run docs:pages` writes this page.',
    records.toSorted().map(describeDecision).join('\n'),
  ].join('\n\n');
};

/** Renders a list entry with the title of a record and its first sentence. */
const describeDecision = (file: string): string => {
  const [, title = '', summary = ''] = /^# (.+)\n\n(.+?\.) /.exec(read(file)) ?? [];
  return `- [${title}](${basename(file)}): ${summary}`;
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
    'Comments that several files rely on have a title, and other files refer to them by that title. This page lists each note with its first sentence. `npm run docs:pages` writes it.',
    ['| note | first sentence | file |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
};

/** Returns the first sentence of a comment on one line, with pipes escaped. */
const firstSentence = (text: string): string => {
  const line = text.replaceAll(/\n\s*(?:\*|--|\/\/) /g, ' ').replaceAll('|', '\\|');
  return /^.*?\.(?= |$)/.exec(line)?.[0] ?? line;
};
