import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { makeFolder, removeFolder } from '@hearth/testkit/hearth/folder.ts';
import type { Import } from './importMedia.ts';
import { drawMiniature, miniatureDistance } from './miniature.ts';

/**
 * Writes `references.ts`. Miniatures come from `vipsthumbnail`, whose decoders and rotation are independent of ours.
 * For files that it cannot read, such as videos, they come from this import's thumbnail, which needs a visual check.
 * Reports files where the two differ.
 */
export const writeReferences = async ({ files }: Import, say: (line: string) => void): Promise<void> => {
  const scratch = await makeFolder('references');
  const lines: string[] = [];
  for (const { file, uploaded } of files) {
    const own = uploaded.shown?.thumbnail?.miniature;
    if (own === undefined) continue;
    const byVips = uploaded.shown?.item.mediaItemType === 'VIDEO' ? undefined : await lookWithVips(file.path, scratch);
    if (byVips === undefined) say(`${file.name}: reference from its thumbnail`);
    else if (miniatureDistance(own, byVips) > 4)
      say(`${file.name}: distance ${miniatureDistance(own, byVips).toFixed(1)}`);
    lines.push(`  ${JSON.stringify(file.name)}: '${byVips ?? own}',`);
  }
  await removeFolder(scratch);
  const head =
    '/** What the pictures of the test media look like, by file: written by `npm run report:media -- --references`. */';
  const text = `${head}\nexport const references: Readonly<Record<string, string>> = {\n${lines.join('\n')}\n};\n`;
  await writeFile(join(import.meta.dirname, 'references.ts'), text);
};

const lookWithVips = async (path: string, scratch: string): Promise<string | undefined> => {
  const target = join(scratch, 'small.png');
  try {
    await rm(target, { force: true });
    await promisify(execFile)(toolPath('vipsthumbnail'), [path, '--size', '320x320', '-o', target]);
    return await drawMiniature(target);
  } catch {
    return undefined;
  }
};
