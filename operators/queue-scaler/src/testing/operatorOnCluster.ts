import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { crdFile } from '../crd/renderTypes.ts';
import type { ControlPlane, KubernetesManifest } from './controlPlane.ts';
import { namespace, operatorManifests, getPlural } from './manifests.ts';
import { startOperator, type OperatorProcess } from './operatorProcess.ts';
import { waitFor } from './waitFor.ts';

export const scalersPath = `/apis/scaling.hearth.photos/v1alpha1/namespaces/${namespace}/queuescalers`;

/** Installs the CRD, the operator's manifests and a Secret with the URL of Redis. `change` may modify each manifest. */
export const installOperator = async (
  cluster: ControlPlane,
  redisUrl: string,
  change: (manifest: KubernetesManifest) => void = () => undefined,
): Promise<void> => {
  await cluster.create('customresourcedefinitions', parse(await readFile(crdFile, 'utf8')) as KubernetesManifest);
  await cluster.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const manifest of await operatorManifests()) {
    change(manifest);
    await cluster.create(getPlural(manifest), manifest);
  }
  await cluster.create('secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hearth-redis', namespace },
    stringData: { url: redisUrl },
  });
  await waitFor('QueueScalers', () =>
    cluster.request({ method: 'GET', path: scalersPath }).then(
      () => true,
      () => false,
    ),
  );
};

export const scalerManifest = (name: string, spec: object): KubernetesManifest => ({
  apiVersion: 'scaling.hearth.photos/v1alpha1',
  kind: 'QueueScaler',
  metadata: { name, namespace },
  spec,
});

/** Starts the operator with a token of an installed service account. */
export const startOperatorAs = async (
  cluster: ControlPlane,
  serviceAccount: string,
  env: Readonly<Record<string, string>> = {},
): Promise<OperatorProcess> =>
  startOperator({
    HEARTH_KUBERNETES_URL: cluster.url,
    HEARTH_KUBERNETES_CA_FILE: cluster.caFile,
    HEARTH_KUBERNETES_TOKEN_FILE: await cluster.makeToken(namespace, serviceAccount),
    HEARTH_NAMESPACE: namespace,
    ...env,
  });
