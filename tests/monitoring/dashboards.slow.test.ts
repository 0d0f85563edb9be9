import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTool } from '@hearth/testkit/run/tools.ts';
import { makeFolder, removeUnlessFailed } from '@hearth/testkit/hearth/folder.ts';
import { listEmptyPanels, watchOwnHearth } from './watchDashboards.ts';

test(
  'every panel has data in a real Prometheus, and no alert fires',
  { skip: missingTool('redis-server', 'prometheus') },
  async (t) => {
    const directory = await makeFolder('monitoring');
    t.after(() => removeUnlessFailed(t, directory));
    const watched = await watchOwnHearth(directory, 40, t.signal);
    assert.deepEqual(watched.problems, []);
    assert.deepEqual(watched.alerts, []);
    assert.deepEqual(listEmptyPanels(watched), []);
  },
);
