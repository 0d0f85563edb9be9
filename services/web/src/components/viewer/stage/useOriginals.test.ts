// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ViewedItem } from '../item/viewedItem.ts';
import { useOriginals } from './useOriginals.ts';

const item = (mimeType: string | undefined): ViewedItem => ({
  id: '1',
  mediaItemType: 'PHOTO',
  mediaItemCategory: 'DEFAULT',
  localTime: '2022-04-03T12:00:00',
  sourceUrl: '/disk/original',
  mimeType,
});

test.each([
  ['a JPEG', 'image/jpeg', '/disk/original'],
  ['HEIC, which some browsers support', 'image/heic', '/disk/original'],
  ['an unknown type, as visitors receive it', undefined, '/disk/original'],
  ['a TIFF', 'image/tiff', undefined],
  ['a raw file', 'image/x-canon-cr3', undefined],
])('requests supported originals only: %s', (_, mimeType, expected) => {
  const { result } = renderHook(useOriginals);
  expect(result.current.getUrl(item(mimeType))).toBe(expected);
});

test('requests no other HEIC after one failed to load', () => {
  const { result } = renderHook(useOriginals);
  act(() => expect(result.current.markUnsupported(item('image/heic'))).toBe(true));
  expect(result.current.getUrl(item('image/heic'))).toBeUndefined();
  expect(result.current.getUrl(item('image/heif'))).toBe('/disk/original');
});

test('does not treat JPEG as unsupported after a failure: its link may have expired', () => {
  const { result } = renderHook(useOriginals);
  act(() => expect(result.current.markUnsupported(item('image/jpeg'))).toBe(false));
  expect(result.current.getUrl(item('image/jpeg'))).toBe('/disk/original');
});
