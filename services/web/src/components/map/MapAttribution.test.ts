import { expect, test } from 'vitest';
import { readAttribution } from './MapAttribution.tsx';

test.each([
  [
    '<a href="https://www.openstreetmap.org/copyright" target="_blank">&copy; OpenStreetMap</a> contributors',
    [
      { text: '© OpenStreetMap', href: 'https://www.openstreetmap.org/copyright' },
      { text: ' contributors', href: undefined },
    ],
  ],
  ['Rivers &amp; roads &#169; 2026', [{ text: 'Rivers & roads © 2026', href: undefined }]],
  [
    '<a href="https://tiles.example.org/?a=1&amp;b=2">maps</a> &constructor;',
    [
      { text: 'maps', href: 'https://tiles.example.org/?a=1&b=2' },
      { text: ' &constructor;', href: undefined },
    ],
  ],
  ['<a href="javascript:alert(1)">press</a>', [{ text: 'press', href: undefined }]],
  ['<img src=x onerror=alert(1)>maps', [{ text: 'maps', href: undefined }]],
])('parses %s', (html, expected) => {
  expect(readAttribution(html)).toEqual(expected);
});
