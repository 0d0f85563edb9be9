import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const guide = join(import.meta.dirname, '../../../../docs/docs');

/** A page of the guide. */
export interface Page {
  /** Path in the guide, such as `user-guide/installation`. */
  readonly id: string;
  readonly text: string;
}

/** Returns the pages of a folder of the guide, sorted by name. */
export const readPages = (folder: string): readonly Page[] =>
  globSync(`${folder}/**/*.md`, { cwd: guide })
    .toSorted()
    .map((file) => ({
      id: file.replace(/\.md$/, '').split(sep).join('/'),
      text: readFileSync(join(guide, file), 'utf8'),
    }));

/** A code block with its language, attributes and lines. */
export interface CodeBlock {
  readonly language: string;
  /** Values by name, such as `test=embedded` or `shows="READY"`. `true` for a name without a value. */
  readonly attributes: Readonly<Record<string, string | true>>;
  readonly code: string;
}

/** Returns the code blocks of a page, in order. */
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

/** Returns the shell blocks of a page. */
export const listCommands = (text: string): readonly CodeBlock[] =>
  listBlocks(text).filter(({ language }) => /^(?:bash|sh|shell|console)$/.test(language));
