import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteFolder } from './installSite.ts';

/** The kinds of changes in the order of the page, and what they are called there. */
const kinds = { Change: 'Changes', Enhancement: 'Enhancements', Bugfix: 'Fixes' } as const;

/** The page of what has changed since the last release, made of the files of `docs/changelog/unreleased`. */
export const renderChangelog = (): string => {
  const files = globSync('changelog/unreleased/*.md', { cwd: siteFolder }).toSorted();
  const entries = files.map((file) => readEntry(readFileSync(join(siteFolder, file), 'utf8')));
  const chapters = Object.entries(kinds).map(([kind, title]) =>
    [
      `## ${title}`,
      // Not as headings: the page would be loaded with an anchor and an entry of its table of contents for each.
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
