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
  ['HEIC, which some browsers show', 'image/heic', '/disk/original'],
  ['what a visitor is given', undefined, '/disk/original'],
  ['a TIFF', 'image/tiff', undefined],
  ['a raw file', 'image/x-canon-cr3', undefined],
])('the original is asked for, or not: %s', (_, mimeType, expected) => {
  const { result } = renderHook(useOriginals);
  expect(result.current.urlOf(item(mimeType))).toBe(expected);
});

test('after one HEIC was refused no other is asked for', () => {
  const { result } = renderHook(useOriginals);
  act(() => expect(result.current.refuse(item('image/heic'))).toBe(true));
  expect(result.current.urlOf(item('image/heic'))).toBeUndefined();
  expect(result.current.urlOf(item('image/heif'))).toBe('/disk/original');
});

test('a JPEG that did not come is no surprise of its kind: its link may have expired', () => {
  const { result } = renderHook(useOriginals);
  act(() => expect(result.current.refuse(item('image/jpeg'))).toBe(false));
  expect(result.current.urlOf(item('image/jpeg'))).toBe('/disk/original');
});
