import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The root folder of this code: a checkout, or a copy of it in an image. */
const project = resolve(import.meta.dirname, '../../../..');

/**
 * Returns the checked-out commit of a folder, read without git (gitrepository-layout(5)). Supports linked worktrees and
 * packed refs. Undefined if the folder is no checkout or has another layout.
 */
export const readCheckoutCommit = (folder = project): string | undefined => {
  const link = /^gitdir: (.+)$/m.exec(readText(join(folder, '.git')) ?? '')?.[1];
  const gitFolder = resolve(folder, link ?? '.git');
  const head = readText(join(gitFolder, 'HEAD'))?.trim() ?? '';
  const [, ref] = /^ref: (refs\/\S+)$/.exec(head) ?? [];
  if (ref === undefined) return parseCommit(head);
  // Worktrees share their branches.
  const commonFolder = resolve(gitFolder, readText(join(gitFolder, 'commondir'))?.trim() ?? '.');
  const packed = (readText(join(commonFolder, 'packed-refs')) ?? '')
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  return (
    parseCommit(readText(join(gitFolder, ref))) ??
    parseCommit(readText(join(commonFolder, ref))) ??
    parseCommit(packed?.split(' ')[0])
  );
};

/**
 * Returns the version of this code with the commit, by default the checked-out one: `0.1.0 (3f2a9c1b7d04)`. Only the
 * version if no commit is known.
 */
export const readHearthVersion = (commit = readCheckoutCommit()): string => {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string };
  return commit === undefined || commit === '' ? version : `${version} (${commit.slice(0, 12)})`;
};

const packageFile = join(import.meta.dirname, '../../package.json');

const parseCommit = (text: string | undefined): string | undefined =>
  /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.exec(text?.trim() ?? '')?.[0];

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
