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
  'Screenshot 2019-05-04 at 10.11.12 PM.png': '2019-05-04T22:11:12',
  'Screenshot 2019-05-04 at 10.11.12 AM.png': '2019-05-04T10:11:12',
  'Screenshot 2019-05-04 at 10.11.12\u202fPM (2).png': '2019-05-04T22:11:12',
  'Screen Shot 2019-05-04 at 9.05.10 pm.png': '2019-05-04T21:05:10',
  'Screenshot 2019-05-04 at 12.05.10 AM.png': '2019-05-04T00:05:10',
  'Screenshot 2019-05-04 at 12.05.10 PM.png': '2019-05-04T12:05:10',
  '2019-05-04 10.11.12 Amsterdam.jpg': '2019-05-04T10:11:12',
  '2019-05-04 10.11.12 pm-edited.jpg': '2019-05-04T22:11:12',
  '20190504101112.jpg': '2019-05-04T10:11:12',
  '20190504101112_IMG_0001.jpg': '2019-05-04T10:11:12',
  '00000IMG_00000_BURST20190504101112345_COVER.jpg': '2019-05-04T10:11:12',
  'IMG_20190504_12345.jpg': '2019-05-04T12:00:00',
  '20190504991112.jpg': undefined,
  '20191904101112.jpg': undefined,
  '2019050410111.jpg': undefined,
  '201905041011121.jpg': undefined,
  '1556964672345.jpg': undefined,
  'DSC_0001.JPG': undefined,
  'wallpaper-1920x1080.png': undefined,
  '1920-1080-20.png': undefined,
  'FB_IMG_1520190504123.jpg': undefined,
  '20189999.jpg': undefined,
};

for (const [name, expected] of Object.entries(names)) {
  test(`reads ${expected ?? 'no time'} from the name ${name}`, () => {
    const found = findFileNameTime(name)?.toISO({ includeOffset: false, suppressMilliseconds: true });
    assert.equal(found, expected);
  });
}
