import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const guide = join(import.meta.dirname, '../docs');

/** A page of the guide. */
export interface Page {
  /** Within the guide, such as `user-guide/installation`. */
  readonly id: string;
  readonly text: string;
}

/** The pages of a folder of the guide, by their names. */
export const readPages = (folder: string): readonly Page[] =>
  globSync(`${folder}/**/*.md`, { cwd: guide })
    .toSorted()
    .map((file) => ({
      id: file.replace(/\.md$/, '').split(sep).join('/'),
      text: readFileSync(join(guide, file), 'utf8'),
    }));

/** A block of code: its language, what stands behind that, and its lines. */
export interface CodeBlock {
  readonly language: string;
  /** By their names: `test=embedded`, `shows="READY"`; `true` of a word alone. */
  readonly attributes: Readonly<Record<string, string | true>>;
  readonly code: string;
}

/** The blocks of code of a page, in order. */
export const listBlocks = (text: string): readonly CodeBlock[] =>
  [...text.matchAll(/^```(\S+)?([^\n]*)\n(.*?)^```$/gms)].map(([, language = '', info = '', code = '']) => ({
    language,
    attributes: Object.fromEntries(
      [...info.matchAll(/([\w-]+)(?:="([^"]*)"|=(\S+))?/g)].map(([, name = '', quoted, plain]) => [
        name,
        quoted ?? plain ?? true,
      ]),
    ),
    code,
  }));

/** The blocks of a page that are for a shell. */
export const listCommands = (text: string): readonly CodeBlock[] =>
  listBlocks(text).filter(({ language }) => /^(?:bash|sh|shell|console)$/.test(language));

/** A chapter of a page, by the address that GitHub and Docusaurus give to its heading, with all that stands in it. */
export interface Section {
  readonly anchor: string;
  readonly text: string;
}

/** The sections of a page. One ends where a heading of its level or above begins; what is in a block of code is no heading. */
export const listSections = (text: string): readonly Section[] => {
  const lines = text.split('\n');
  const headings: { readonly level: number; readonly anchor: string; readonly at: number }[] = [];
  const known = new Map<string, number>();
  let isCode = false;
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, title] = (isCode ? undefined : /^(#{1,6}) (.+)$/.exec(line)) ?? [];
    if (marks === undefined || title === undefined) continue;
    const anchor = anchorOf(title);
    const count = known.get(anchor) ?? 0;
    known.set(anchor, count + 1);
    headings.push({ level: marks.length, anchor: count === 0 ? anchor : `${anchor}-${count}`, at });
  }
  return headings.map(({ level, anchor, at }, index) => {
    const next = headings.slice(index + 1).find((other) => other.level <= level);
    return { anchor, text: lines.slice(at, next?.at).join('\n') };
  });
};

/** What a heading is reached by: its words in small letters, with hyphens. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
