import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { notRequired } from '@hearth/testkit/run/tools.ts';
import { findContainerEngine, imageTags } from './containerEngine.ts';
import { images } from './images.ts';
import { getMaxMegabytes, inspectImage } from './measureImage.ts';

const engine = findContainerEngine();

suite(
  'built images',
  { skip: engine === undefined && `HEARTH_CONTAINER_ENGINE names no engine ${notRequired}` },
  () => {
    for (const image of images) {
      for (const name of imageTags().map((tag) => `${image.repository}:${tag}`)) {
        test(`${name} is within its bound`, async (t) => {
          const measured = await inspectImage(engine!, name);
          if (measured === undefined) {
            t.skip(`the engine has no ${name}`);
            return;
          }
          const bound = getMaxMegabytes(image, measured);
          assert.ok(measured.megabytes <= bound, `${measured.megabytes.toFixed(0)} MB of ${bound}`);
          // A bound far above the size would not detect growth.
          assert.ok(
            measured.megabytes >= bound * 0.8,
            `lower the bound of ${bound} MB to ${measured.megabytes.toFixed(0)}`,
          );
          assert.equal(measured.user, '65532:65532');
        });
      }
    }
  },
);
