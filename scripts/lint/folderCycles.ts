import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Imported folders by folder. The root is named `.`. */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the imports between the folders of a source tree, without tests and `testing` folders. */
export const readFolderGraph = (root: string): FolderGraph => {
  const graph = new Map<string, Set<string>>();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file) || file.split('/').includes('testing')) continue;
    const folder = dirname(file);
    const imported = graph.get(folder) ?? new Set();
    graph.set(folder, imported);
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(relativeImport)) {
      const target = dirname(normalize(join(folder, path)));
      if (target !== folder && !target.startsWith('..')) imported.add(target);
    }
  }
  return graph;
};

/** Returns the imports between the top-level folders, each together with its subfolders. */
export const joinSubfolders = (graph: FolderGraph): FolderGraph => {
  const joined = new Map<string, Set<string>>();
  for (const [folder, imported] of graph) {
    const top = getTopFolder(folder);
    joined.set(top, (joined.get(top) ?? new Set()).union(new Set([...imported].map(getTopFolder))));
    joined.get(top)!.delete(top);
  }
  return joined;
};

const getTopFolder = (folder: string): string => folder.split('/')[0]!;

/** Matches a relative import or re-export. Group 1 is the path. */
export const relativeImport = /(?:\bfrom|\bimport\(?)\s*'(\.{1,2}\/[^']+)'/g;

/** Returns the folders of one cycle, with the first one repeated at the end, or undefined if none exists. */
export const findFolderCycle = (graph: FolderGraph): string[] | undefined => {
  const done = new Set<string>();
  const visit = (folder: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (done.has(folder)) return undefined;
    for (const imported of graph.get(folder) ?? []) {
      const cycle = visit(imported, [...path, folder]);
      if (cycle !== undefined) return cycle;
    }
    done.add(folder);
    return undefined;
  };
  for (const folder of graph.keys()) {
    const cycle = visit(folder, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
};
