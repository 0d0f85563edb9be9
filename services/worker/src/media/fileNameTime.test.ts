import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFileNameTime } from './fileNameTime.ts';

const names: Record<string, string | undefined> = {
  '2018-04-12 19_24_49.jpg': '2018-04-12T19:24:49',
  'Screenshot_2024-02-01-10-20-30.png': '2024-02-01T10:20:30',
  'Screenshot 2024-02-01 at 10.20.30.png': '2024-02-01T10:20:30',
  'IMG_20180725_163423.jpg': '2018-07-25T16:34:23',
  '20180725_163423123.jpg': '2018-07-25T16:34:23',
  'IMG-20190504-WA0001.jpg': '2019-05-04T12:00:00',
  'DSC_0001.JPG': undefined,
  'wallpaper-1920x1080.png': undefined,
  '1920-1080-20.png': undefined,
  'FB_IMG_1520190504123.jpg': undefined,
  '20189999.jpg': undefined,
};

for (const [name, expected] of Object.entries(names)) {
  test(`the name ${name} tells ${expected ?? 'no time'}`, () => {
    const found = findFileNameTime(name)?.toISO({ includeOffset: false, suppressMilliseconds: true });
    assert.equal(found, expected);
  });
}
