import { createHash } from 'node:crypto';

/** Where drawn diagrams lie, in the folder of the pages. */
export const diagramFolder = 'images/diagrams';

/** The file of a diagram in one of the themes: by what is drawn, so that a diagram that was changed and not drawn anew is missing. */
export const diagramFile = (code: string, theme: 'light' | 'dark'): string =>
  `${createHash('sha256').update(code.trim()).digest('hex').slice(0, 10)}-${theme}.svg`;

/** What a diagram shows, in words: its `accDescr`. */
export const diagramText = (code: string): string => /^\s*accDescr: (.+)$/m.exec(code)?.[1] ?? '';
