import { globSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recipe } from './installTools.ts';
import { installByPip } from './pip.ts';

/**
 * Oldest and newest Kubernetes version that the chart is checked for. `kubeVersion` in Chart.yaml starts with the
 * first.
 */
export const checkedVersions = ['1.29.0', '1.37.0'] as const;

/** Returns the folder of a version's strict schemas, which reject unknown fields, below `path`. */
export const getFolderOfVersion = (version: string): string => `v${version}-local-strict`;

const schemasPath = 'kubernetes_validate/kubernetes-json-schema';

/**
 * JSON schemas of Kubernetes for kubeconform, from the Python package `kubernetes-validate`. `path` is their folder.
 */
export const kubernetesSchemas: Recipe = {
  kind: 'made',
  version: `1.37.0-${checkedVersions.join('-')}`,
  effort: '22 MB from pip',
  path: schemasPath,
  make: async (directory) => {
    await installByPip(directory, '--no-deps', `--target=${directory}`, 'kubernetes-validate==1.37.0');
    const schemas = join(directory, schemasPath);
    const wanted = new Set(checkedVersions.map(getFolderOfVersion));
    for (const folder of await readdir(schemas))
      if (!wanted.has(folder)) await rm(join(schemas, folder), { recursive: true });
    // References are relative to a web address, and kubeconform would look for them there.
    for (const file of globSync('*/*.json', { cwd: schemas }).map((path) => join(schemas, path))) {
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll('"/api/', '"').replaceAll('"$id": "https:', '"$comment": "https:'));
    }
  },
};
