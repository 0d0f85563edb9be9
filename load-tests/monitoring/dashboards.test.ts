import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTool } from '@hearth/core/testing/tools.ts';
import { makeFolder, removeUnlessFailed } from '../harness/folder.ts';
import { watchDashboards } from './watchDashboards.ts';

test(
  'a real Prometheus answers the query of every panel with data, and no alert fires',
  { skip: missingTool('redis-server', 'prometheus') },
  async (t) => {
    const directory = await makeFolder('monitoring');
    t.after(() => removeUnlessFailed(t, directory));
    const { dashboards, problems, alerts } = await watchDashboards(directory, t.signal);
    assert.deepEqual(problems, []);
    assert.deepEqual(alerts, []);
    for (const { dashboard, panels } of dashboards)
      for (const [{ title, queries }, lines] of panels) {
        const points = lines.filter(({ points }) => points.length > 1);
        assert.ok(points.length >= queries.length, `${dashboard.title}: ${title} shows ${points.length} lines`);
      }
  },
);
