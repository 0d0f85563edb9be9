/**
 * `node load-tests/quality/measure/measureFaces.ts`: measures face detection, recognition, clustering and their cost on
 * the test media and variants, and prints JSON. It runs in its own process, so that nothing else competes for CPU.
 */
import { lacksPortraits } from '@hearth/testkit/pictures/portraits.ts';
import { lacksModels, testSettings, mediaPath } from '@hearth/testkit/models/testModels.ts';
import { openSessions } from '@hearth/inference/process/sessions.ts';
import { findPortraitFaces, findFacesIn } from './portraitFaces.ts';
import { measureClustering } from './measureClustering.ts';
import { measureCost } from './measureCost.ts';
import { measureFinding, measureLikeness } from './measureFinding.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunModel } from '@hearth/inference/pixels/tensor.ts';

if (lacksPortraits !== false || lacksModels !== false) throw new Error(lacksPortraits || lacksModels || undefined);

/** Test photos without a human face, checked by eye. Some show animals, drawings or a skull. */
const faceless = JSON.parse(readFileSync(join(import.meta.dirname, 'faceless.json'), 'utf8')) as readonly string[];

/** Finds false positives, and counts those that could create a person. */
const findFalseAlarms = async (run: RunModel) => {
  const found: { readonly photo: string; readonly faces: number; readonly founding: number }[] = [];
  for (const photo of faceless) {
    const faces = await findFacesIn(run, mediaPath(photo));
    if (faces.length > 0)
      found.push({ photo, faces: faces.length, founding: faces.filter(({ isFounding }) => isFounding).length });
  }
  return { photos: faceless.length, found };
};

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
