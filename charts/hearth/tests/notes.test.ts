import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { chart, renderScenario, runHelm, scenarioFile, scenarios } from './helm.ts';

/** Returns the notes printed after an installation. */
const getNotes = (scenario: string): string => {
  const { isOk, stdout, stderr } = runHelm(
    'install',
    'hearth',
    chart,
    '--namespace',
    'photos',
    '--dry-run=client',
    '--values',
    scenarioFile(scenario),
  );
  assert.ok(isOk, stderr);
  const [, notes] = stdout.split(/^NOTES:\n/m);
  assert.ok(notes, 'no notes in the output');
  return notes;
};

suite('installation notes', { skip: missingTool('helm') }, () => {
  test('give the next four commands and no secrets', () => {
    const notes = getNotes('default');
    const commands = [...notes.matchAll(/^ {2}(kubectl .*)$/gm)].map(([, command]) => command);
    assert.deepEqual(commands, [
      'kubectl -n photos get pods -l app.kubernetes.io/instance=hearth --watch',
      "kubectl -n photos get secret hearth-keys -o jsonpath='{.data.admin-password}' | base64 -d; echo",
      'kubectl -n photos port-forward svc/hearth-api 5001:80',
      'kubectl -n photos get qs',
    ]);
    assert.match(notes, /helm test hearth -n photos/);
    assert.match(
      notes,
      /helm uninstall keeps the database, the queue, the photos \(PersistentVolumeClaims\) and the Secrets/,
    );
  });

  test('name only existing objects', () => {
    for (const scenario of scenarios) {
      const notes = getNotes(scenario);
      const objects = renderScenario(scenario);
      const [, service, port] = /svc\/(\S+) 5001:(\d+)/.exec(notes) ?? [];
      const found = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === service);
      assert.equal(found?.spec?.ports?.[0]?.port, Number(port), scenario);
      assert.doesNotMatch(notes, /<no value>|<nil>|\{\{|%!/, scenario);
      for (const line of notes.split('\n')) assert.equal(line, line.trimEnd(), scenario);
    }
  });

  test("mention only what applies to the installation's values", () => {
    assert.match(
      getNotes('existing-all'),
      /helm uninstall deletes neither the database nor the photos, and keeps the Secrets/,
    );
    assert.match(getNotes('existing-postgres'), /keeps the queue, the photos \(PersistentVolumeClaims\)/);
    assert.match(getNotes('existing-secrets'), /get secret given-keys/);
    assert.doesNotMatch(getNotes('existing-secrets'), /and the Secrets/);
    assert.match(getNotes('ingress'), /Features turned off: people, things\.[^]*kept for 30 days/);
    assert.doesNotMatch(getNotes('default'), /turned off/);
    assert.match(
      getNotes('ingress'),
      /Users will open https:\/\/photos\.example\.org\. When this name leads to the cluster, open https:\/\/photos\.example\.org\/admin/,
    );
    assert.doesNotMatch(getNotes('ingress'), /open http:\/\/127/);
    assert.match(
      getNotes('existing-claims'),
      /Workers share the volume old-models, which only one node at a time can mount/,
    );
    assert.doesNotMatch(getNotes('high-availability'), /one node at a time/);
    assert.match(getNotes('existing-claims'), /worker\.confinement is off: a worker without a sandbox/);
    assert.doesNotMatch(getNotes('default'), /sandbox/);
  });
});
