import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Returns the `files` that import the module `target`, directly or through other modules of the repository `root`. Paths are relative to it. */
export const findImporters = (root: string, files: readonly string[], target: string): string[] => {
  const sources = packageSources(root);
  const known = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const imports = known.get(path) ?? readImports(path, sources);
    known.set(path, imports);
    return imports;
  };
  return files.filter((file) => {
    const reached = new Set([resolve(root, file)]);
    // A set yields what is added while it is read.
    for (const path of reached) for (const imported of importsOf(path)) reached.add(imported);
    return reached.has(resolve(root, target));
  });
};

const readImports = (path: string, sources: ReadonlyMap<string, string>): string[] => {
  if (!existsSync(path)) return [];
  return Array.from(readFileSync(path, 'utf8').matchAll(importedPath), ([, imported = '']) => {
    if (imported.startsWith('.')) return join(dirname(path), imported);
    const [scope, name, ...rest] = imported.split('/');
    return join(sources.get(`${scope}/${name}`) ?? '', ...rest);
  });
};

const importedPath = /(?:\bfrom|\bimport\(?)\s*'((?:\.{1,2}\/|@hearth\/)[^']+)'/g;

/** Source folders of the packages below `services`, by package name. */
const packageSources = (root: string): ReadonlyMap<string, string> =>
  new Map(
    globSync('services/*/package.json', { cwd: root }).map((path) => {
      const { name } = JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string };
      return [name, join(resolve(root), dirname(path), 'src')];
    }),
  );
