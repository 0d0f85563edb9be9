import i18next, { type TFunction } from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import library from '../../locales/en/library.json';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { gridItem } from '../../lib/items/testing/gridItem.ts';
import { getCellName } from './getCellName.ts';

describe('cell name', () => {
  let t: TFunction<'library'>;
  beforeAll(async () => {
    const i18n = i18next.createInstance();
    await i18n.init({ lng: 'en', ns: ['library'], defaultNS: 'library', resources: { en: { library } } });
    t = i18n.getFixedT('en', 'library');
  });

  it.each<[string, Partial<GridItem>]>([
    ['Photo, April 3, 2022', {}],
    ['Video, 0:12, April 3, 2022', { kind: 'video', durationSeconds: 12.4 }],
    ['Live Photo, April 3, 2022, favourite', { kind: 'live', favourite: true }],
    ['Animation, April 3, 2022, processing', { kind: 'animated', status: 'PROCESSING' }],
    ['Photo, April 3, 2022, preview unavailable', { status: 'FAILED' }],
    ['Photo, April 3, 2022, matches: Dog, Berlin', { found: 'Dog, Berlin' }],
  ])('is "%s"', (name, fields) => {
    expect(getCellName(gridItem(fields), t, 'en')).toBe(name);
  });
});
