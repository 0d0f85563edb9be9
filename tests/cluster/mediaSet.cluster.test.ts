import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { watchProcessTree } from '@hearth/testkit/hearth/processTree.ts';
import { importMedia } from '../media/importMedia.ts';
import { missingMedia, listMediaFiles } from '../media/manifest.ts';
import { evaluateImport } from '../media/mediaTable.ts';
import { missingCluster, openCluster, type Cluster } from './cluster.ts';
import { watchMemory, type ContainerMemory } from './containerMemory.ts';
import { recordPods } from './pods.ts';
import { chart, createNamespace, installRelease, openAccess, type Access, type Release } from './release.ts';

for (const [name, values] of [
  ['with the default values', []],
  ['with the preset for a node with 4 GB', [`--values=${chart}/presets/small.yaml`]],
] as const)
  suite(`the whole media set, ${name}`, { skip: missingCluster || missingMedia }, () => {
    let cluster: Cluster;
    let release: Release;
    let access: Access;
    test.before(async () => {
      cluster = await openCluster();
      release = await installRelease(cluster, await createNamespace(cluster, 'media'), values);
      access = await openAccess(cluster, release);
    });
    test.after(async () => {
      access?.close();
      await release?.remove();
      cluster?.close();
    });

    test('imports as expected, and no process is killed for its memory', async (t) => {
      const recorder = recordPods(cluster, release.namespace);
      const memory = watchMemory(cluster, release);
      // The cluster's processes do not run on this machine.
      const library = { ...access, processes: watchProcessTree() };
      const imported = await importMedia(listMediaFiles(), library, console.log);
      const used = [...(await memory.stop()).values()];
      recorder.stop();
      const { faults, files, values, agreeing } = evaluateImport(imported, []);
      const peaks = peakByRole(used);
      console.log(JSON.stringify({ files, values, agreeing, peaks }));
      t.diagnostic(JSON.stringify({ files, values, agreeing, peaks }));
      assert.deepEqual(
        used.filter(({ oomKills }) => oomKills > 0),
        [],
      );
      const killed = recorder.histories().filter(({ endings }) => endings.has('OOMKilled'));
      assert.deepEqual(
        killed.map(({ name }) => name),
        [],
      );
      assert.deepEqual(faults, []);
    });
  });

/** Returns the highest peak of the pods of each role, in MiB. */
const peakByRole = (used: readonly ContainerMemory[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(used, ({ role }) => role)].map(([role, pods]) => [
      role,
      Math.round(Math.max(...pods.map(({ peakBytes }) => peakBytes)) / 2 ** 20),
    ]),
  );
