// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, expect, it } from 'vitest';
import { LoadedMenu } from './LoadedMenu.tsx';

afterEach(cleanup);

/** Returns the accessible name of the focused element in the commit that mounts the menu. */
const wasFocusedOnMount = (): string | null | undefined => {
  let name: string | null | undefined;
  const Page = () => {
    useLayoutEffect(() => {
      name = document.activeElement?.getAttribute('aria-label');
    });
    const trigger = <button type="button" aria-label="More" />;
    return <LoadedMenu trigger={trigger} items={[]} initialFocus initialOpen={false} />;
  };
  render(<Page />);
  return name;
};

it('takes over the focus of the trigger in its first commit, before other code can move it', () => {
  expect(wasFocusedOnMount()).toBe('More');
});

it('does not take focus that has moved elsewhere', () => {
  const elsewhere = document.createElement('button');
  elsewhere.setAttribute('aria-label', 'A picture');
  document.body.append(elsewhere);
  elsewhere.focus();
  expect(wasFocusedOnMount()).toBe('A picture');
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
});
