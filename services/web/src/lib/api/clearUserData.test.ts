// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { clearUserData } from './clearUserData.ts';

test('keeps language and theme, and removes all data of the user', async () => {
  localStorage.setItem('hearth-language', 'de');
  localStorage.setItem('hearth-theme', 'dark');
  localStorage.setItem('hearth-user:a:recent', '["birthday"]');
  sessionStorage.setItem('hearth-scroll', '1');
  await clearUserData();
  expect(Object.keys(localStorage).toSorted()).toEqual(['hearth-language', 'hearth-theme']);
  expect(sessionStorage).toHaveLength(0);
});
