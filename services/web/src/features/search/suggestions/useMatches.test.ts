// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useDebounced } from './useMatches.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('debounces a value', () => {
  vi.useFakeTimers();
  const { result, rerender } = renderHook(({ text }) => useDebounced(text, 150), { initialProps: { text: '' } });
  for (const text of ['d', 'do', 'dog']) {
    rerender({ text });
    act(() => void vi.advanceTimersByTime(149));
    expect(result.current).toBe('');
  }
  act(() => void vi.advanceTimersByTime(1));
  expect(result.current).toBe('dog');
});
