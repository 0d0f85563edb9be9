import { createHash } from 'node:crypto';

/** Folder of rendered diagrams, relative to the pages. */
export const diagramFolder = 'images/diagrams';

/**
 * Returns the file name of a rendered diagram, with a hash of its code. A diagram that was changed but not rendered
 * again is therefore missing.
 */
export const diagramFile = (code: string, theme: 'light' | 'dark'): string =>
  `${createHash('sha256').update(code.trim()).digest('hex').slice(0, 10)}-${theme}.svg`;

/** Returns the alternative text of a diagram: its `accDescr`. */
export const diagramText = (code: string): string => /^\s*accDescr: (.+)$/m.exec(code)?.[1] ?? '';
