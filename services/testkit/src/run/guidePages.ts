import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const guide = join(import.meta.dirname, '../../../../docs/docs');

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
