import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteFolder } from './installSite.ts';

/** Kinds of changes with their headings, in the order of the page. */
const kinds = { Change: 'Changes', Enhancement: 'Enhancements', Bugfix: 'Fixes' } as const;

/** Renders the changes since the last release from the files in `docs/changelog/unreleased`. */
export const renderChangelog = (): string => {
  const files = globSync('changelog/unreleased/*.md', { cwd: siteFolder }).toSorted();
  const entries = files.map((file) => readEntry(readFileSync(join(siteFolder, file), 'utf8')));
  const chapters = Object.entries(kinds).map(([kind, title]) =>
    [
      `## ${title}`,
      // No headings: each would add an anchor and an entry in the table of contents.
      ...entries
        .filter((entry) => entry.kind === kind)
        .map(({ summary, text }) => asListItem(`**${summary}.** ${text}`)),
    ].join('\n\n'),
  );
  return ['---\ndescription: What has changed in Hearth.\n---', '# Changelog', 'Not released yet.', ...chapters].join(
    '\n\n',
  );
};

const asListItem = (markdown: string): string => `- ${markdown.replaceAll(/\n(?=.)/g, '\n  ')}`;

const readEntry = (entry: string) => {
  const [first = '', ...lines] = entry.trim().split('\n');
  const [kind = '', ...summary] = first.split(': ');
  return { kind, summary: upper(summary.join(': ').replace(/\.$/, '')), text: lines.join('\n').trim() };
};

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
