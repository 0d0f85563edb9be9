import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import type { KubernetesObject } from './kubernetesObject.ts';

export const chart = join(import.meta.dirname, '..');

const scenarioFiles: ReadonlyMap<string, string> = new Map(
  globSync(['ci/*-values.yaml', 'presets/*.yaml'], { cwd: chart }).map((file) => [
    basename(file).replace(/(-values)?\.yaml$/, ''),
    join(chart, file),
  ]),
);

/** Tested chart values by file name: those in `ci`, and the presets. */
export const scenarios: readonly string[] = [...scenarioFiles.keys()].toSorted();

/** Returns the values file of a scenario. */
export const scenarioFile = (scenario: string): string => scenarioFiles.get(scenario)!;

interface HelmResult {
  readonly isOk: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs helm without a cluster. The API server address is unreachable. */
export const runHelm = (...args: readonly string[]): HelmResult =>
  run(args, { KUBECONFIG: '/dev/null', HELM_KUBEAPISERVER: 'http://127.0.0.1:1' });

/** Runs helm on the cluster of a kubeconfig. */
export const runHelmOn = (kubeconfig: string, args: readonly string[]): HelmResult =>
  run(args, { KUBECONFIG: kubeconfig });

const run = (args: readonly string[], env: Readonly<Record<string, string>>): HelmResult => {
  const { status, stdout, stderr } = spawnSync(toolPath('helm'), args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 2 ** 20,
  });
  return { isOk: status === 0, stdout, stderr };
};

/** Renders the manifests of a release. @throws Error with helm's message */
export const renderText = (values: string, options: readonly string[] = [], folder = chart): string => {
  const { isOk, stdout, stderr } = runHelm(
    'template',
    'hearth',
    folder,
    '--namespace',
    'photos',
    '--values',
    values,
    ...options,
  );
  if (!isOk) throw new Error(stderr);
  return stdout;
};

/** Parses manifests, including hooks and tests. */
export const parseObjects = (text: string): readonly KubernetesObject[] =>
  parseAllDocuments(text)
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0]!;
      return document.toJS() as KubernetesObject | null;
    })
    .filter((object) => object !== null);

/** Returns the objects of a scenario, rendered once per process. */
export const renderScenario = (scenario: string): readonly KubernetesObject[] => {
  const objects = rendered.get(scenario) ?? parseObjects(renderText(scenarioFile(scenario)));
  rendered.set(scenario, objects);
  return objects;
};

const rendered = new Map<string, readonly KubernetesObject[]>();
