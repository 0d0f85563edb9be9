import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Updates the QueueScaler CRD with server-side apply before an upgrade. Helm installs the contents of crds only once
 * and never updates them.
 * Runs in a pod without any packages.
 */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';
const host = process.env['KUBERNETES_SERVICE_HOST'] ?? '';
const address =
  process.env['KUBERNETES_URL'] ??
  `https://${host.includes(':') ? `[${host}]` : host}:${process.env['KUBERNETES_SERVICE_PORT']}`;
const name = 'queuescalers.scaling.hearth.photos';
const response = await fetch(
  `${address}/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}?fieldManager=hearth-chart&force=true`,
  {
    method: 'PATCH',
    headers: {
      Authorization: `Bearer ${readFileSync(process.env['TOKEN_FILE'] ?? `${serviceAccount}/token`, 'utf8').trim()}`,
      'Content-Type': 'application/apply-patch+yaml',
    },
    body: readFileSync(join(import.meta.dirname, 'queueScalers.yaml')),
    signal: AbortSignal.timeout(30_000),
  },
);
const content = (await response.json()) as { readonly message?: string };
if (!response.ok) throw new Error(`${name}: ${content.message ?? response.statusText} (${response.status})`);
console.log(`${name} is up to date`);
