/**
 * `node load-tests/quality/measure/measureFaces.ts`: how well faces are found, told apart and put to people, and what that costs, over the test
 * media and what is made of them, as JSON. A process of its own, so that nothing else runs beside.
 */
import { lacksPortraits } from '@hearth/testkit/pictures/portraits.ts';
import { lacksModels, testSettings } from '@hearth/testkit/models/testModels.ts';
import { openSessions } from '@hearth/inference/process/sessions.ts';
import { findFalseAlarms } from './falseAlarms.ts';
import { findPortraitFaces } from './portraitFaces.ts';
import { measureClustering } from './measureClustering.ts';
import { measureCost } from './measureCost.ts';
import { measureFinding, measureLikeness } from './measureFinding.ts';

if (lacksPortraits !== false || lacksModels !== false) throw new Error(lacksPortraits || lacksModels || undefined);

const { run } = await openSessions(testSettings);
const photos = await findPortraitFaces(run);
const alarms = await findFalseAlarms(run);
const measured = {
  finding: measureFinding(photos),
  alarms,
  likeness: measureLikeness(photos),
  clustering: await measureClustering(photos, 20),
  cost: await measureCost(run),
};
process.stdout.write(`${JSON.stringify(measured, undefined, 2)}\n`);
