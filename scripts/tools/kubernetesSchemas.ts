import { globSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { installByPip } from './pip.ts';

/** The oldest and the newest version of Kubernetes that the chart is checked for; `kubeVersion` in Chart.yaml begins with the first. */
export const checkedVersions = ['1.29.0', '1.37.0'] as const;

/** The folder of a version's schemas below `path`. They refuse unknown fields. */
export const folderOfVersion = (version: string): string => `v${version}-local-strict`;

const schemasPath = 'kubernetes_validate/kubernetes-json-schema';

/** The JSON schemas of Kubernetes that the Python package `kubernetes-validate` brings, for kubeconform: `path` is their folder. */
export const kubernetesSchemas: Recipe = {
  kind: 'made',
  version: `1.37.0-${checkedVersions.join('-')}`,
  effort: '22 MB by pip',
  path: schemasPath,
  make: async (directory) => {
    await installByPip(directory, '--no-deps', `--target=${directory}`, 'kubernetes-validate==1.37.0');
    const schemas = join(directory, schemasPath);
    const wanted = new Set(checkedVersions.map(folderOfVersion));
    for (const folder of await readdir(schemas))
      if (!wanted.has(folder)) await rm(join(schemas, folder), { recursive: true });
    // References are relative to an address on the web, where kubeconform would look for them.
    for (const file of globSync('*/*.json', { cwd: schemas }).map((path) => join(schemas, path))) {
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll('"/api/', '"').replaceAll('"$id": "https:', '"$comment": "https:'));
    }
  },
};
