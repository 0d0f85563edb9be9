import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { renderScenario } from './helm.ts';
import type { KubernetesObject } from './kubernetesObject.ts';

/** Returns the objects of the documentation site as kind and name. */
const listSiteObjects = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects
    .filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] === 'site')
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .toSorted();

const getSitePod = (scenario: string) =>
  renderScenario(scenario).find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'hearth-site')!.spec!
    .template!.spec;
const listSettings = (scenario: string): readonly string[] =>
  getSitePod(scenario).containers.flatMap(({ env = [] }) => env.map(({ name, value }) => `${name}=${value}`));

suite('documentation site', { skip: missingTool('helm') }, () => {
  test('is not rendered by default', () => {
    assert.deepEqual(listSiteObjects(renderScenario('default')), []);
  });

  test('has a Deployment, a Service and a policy, and with host names its own Ingress or HTTPRoute', () => {
    const always = ['Deployment hearth-site', 'NetworkPolicy hearth-site', 'Service hearth-site'];
    const withBudget = [...always, 'PodDisruptionBudget hearth-site'].toSorted();
    assert.deepEqual(listSiteObjects(renderScenario('high-availability')), withBudget);
    assert.deepEqual(listSiteObjects(renderScenario('ingress')), [...always, 'Ingress hearth-site'].toSorted());
    assert.deepEqual(listSiteObjects(renderScenario('gateway')), [...always, 'HTTPRoute hearth-site'].toSorted());
  });

  test('has no secrets, no volumes, and no settings except its listen address', () => {
    assert.equal(getSitePod('ingress').volumes, undefined);
    assert.deepEqual(listSettings('ingress'), ['HEARTH_HOST=0.0.0.0', 'HEARTH_PORT=8080']);
  });

  test('forwards the requests of the API reference only with site.tryIt', () => {
    assert.ok(listSettings('gateway').includes('HEARTH_API_URL=http://hearth-api:80'));
  });
});
