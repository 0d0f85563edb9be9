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
    .map(({ title, file, text }) => `- [${title}](../../../${file}): ${text}`);
  return [
    '# Notes',
    'Titled comments that several files refer to, each with its first sentence. `npm run docs:pages` writes this page.',
    rows.join('\n'),
  ].join('\n\n');
};

/** Returns the first sentence of a comment on one line. */
const firstSentence = (text: string): string => {
  const line = text.replaceAll(/\n\s*(?:\*|--|\/\/) /g, ' ');
  return /^.*?\.(?= |$)/.exec(line)?.[0] ?? line;
};
