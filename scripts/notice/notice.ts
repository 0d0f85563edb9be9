import { describeModels, modelsMark } from './modelLicences.ts';
import type { LicensedPackage } from './packageLicences.ts';

/** Above this line NOTICE is written by hand, below it by `npm run docs:notice`. */
export const mark = '---- Packages, by licence (npm run docs:notice) ----';

/** Characters of a line. */
const width = 150;

/** NOTICE with its lists of packages and models written anew. @throws Error where the mark is missing */
export function putPackages(notice: string, packages: readonly LicensedPackage[]): string {
  const at = notice.indexOf(mark);
  if (at < 0) throw new Error(`NOTICE lacks the line "${mark}"`);
  const groups = Map.groupBy(packages, ({ licence }) => licence ?? 'unknown');
  const sections = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, each]) => `${licence}\n${wrap(each.map(({ name, version }) => `${name}@${version}`))}`);
  return `${notice.slice(0, at)}${[mark, ...sections, modelsMark, describeModels()].join('\n\n')}\n`;
}

function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}
