import type { SearchReason } from '@hearth/contract/search.ts';
import i18next, { type TFunction } from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import de from '../../locales/de/search.json';
import en from '../../locales/en/search.json';
import { describeReasons, mayDescribePictures } from './describeReasons.ts';

let t: Record<'en' | 'de', TFunction<'search'>>;
beforeAll(async () => {
  const i18n = i18next.createInstance();
  await i18n.init({
    lng: 'en',
    ns: ['search'],
    resources: { en: { search: en }, de: { search: de } },
    interpolation: { escapeValue: false },
  });
  t = { en: i18n.getFixedT('en', 'search'), de: i18n.getFixedT('de', 'search') };
});

const found: readonly SearchReason[] = [
  { kind: 'thing', id: 'a', value: 'Dog', words: ['dog'] },
  { kind: 'text', value: 'SIASCONSET', words: ['siasconset'] },
  { kind: 'place', id: 'b', value: 'Berlin', words: ['berlin'] },
  { kind: 'date', value: 'june 2022', from: '2022-06-01', to: '2022-06-30', words: ['june', '2022'] },
  { kind: 'meaning', words: ['dog'] },
];

test('describes each reason once, in the language of the page', () => {
  const file: SearchReason = { kind: 'filename', value: 'dog.jpg', words: ['dog'] };
  expect(describeReasons([file, ...found, found[0]!], t.en, 'en')).toBe(
    'Dog, “SIASCONSET” in the picture, Berlin, June 2022, similar content, file name dog.jpg',
  );
  expect(describeReasons(found, t.de, 'de')).toBe('Dog, „SIASCONSET“ im Bild, Berlin, Juni 2022, ähnlicher Inhalt');
});

test.each<[string, SearchReason]>([
  ['album “Summer”', { kind: 'album', id: 'a', value: 'Summer', words: ['summer'] }],
  ['file name IMG_1.jpg', { kind: 'filename', value: 'IMG_1.jpg', words: ['img'] }],
  ['description “At sea”', { kind: 'description', value: 'At sea', words: ['sea'] }],
  ['Canon EOS R6', { kind: 'camera', value: 'Canon EOS R6', words: [] }],
  ['since June 3, 2022', { kind: 'date', from: '2022-06-03', words: [] }],
  ['until June 3, 2022', { kind: 'date', to: '2022-06-03', words: [] }],
  ['25 december', { kind: 'date', value: '25 december', words: ['25', 'december'] }],
  ['video', { kind: 'type', value: 'VIDEO', words: ['videos'] }],
  ['Screenshot', { kind: 'category', value: 'SCREENSHOT', words: [] }],
  ['favourite', { kind: 'favourite', words: [] }],
])('describes a reason as “%s”', (text, reason) => {
  expect(describeReasons([reason], t.en, 'en')).toBe(text);
});

test('ignores unknown kinds of a later version', () => {
  // @ts-expect-error -- no kind of this version
  expect(describeReasons([{ kind: 'smell', value: 'x', words: [] }], t.en, 'en')).toBeUndefined();
});

test('treats a query as a description of a picture unless it matched only names and dates', () => {
  expect(mayDescribePictures([])).toBe(true);
  expect(mayDescribePictures([{ reasons: found.slice(2, 4) }])).toBe(false);
  expect(mayDescribePictures([{ reasons: found.slice(2, 4) }, { reasons: found }])).toBe(true);
});
