import { listBlocks, readPages, type CodeBlock } from '@hearth/testkit/run/guidePages.ts';

/** The pages of the user guide. */
export const pages = readPages('user-guide');

/** The one block of a page with a text in it, of those that are meant. @throws where there is none, or another one */
export const findBlock = (page: string, part: string, isMeant: (block: CodeBlock) => boolean): CodeBlock => {
  const { text = '' } = pages.find(({ id }) => id === page) ?? {};
  const found = listBlocks(text).filter((block) => isMeant(block) && block.code.includes(part));
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks with “${part}”`);
  return found[0]!;
};

export const isForShell = ({ language }: CodeBlock): boolean => language === 'bash';

/** Whether a block is of values of the chart. */
export const isValues = ({ language, attributes }: CodeBlock): boolean =>
  language === 'yaml' && attributes['values'] === true;
