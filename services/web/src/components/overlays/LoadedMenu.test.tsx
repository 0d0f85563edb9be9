// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { afterEach, expect, it } from 'vitest';
import { LoadedMenu } from './LoadedMenu.tsx';

afterEach(cleanup);

/** The name of what has the focus in the very commit that brings the menu. */
const focusedAsItCame = (): string | null | undefined => {
  let name: string | null | undefined;
  const Page = () => {
    useLayoutEffect(() => {
      name = document.activeElement?.getAttribute('aria-label');
    });
    const trigger = <button type="button" aria-label="More" />;
    return <LoadedMenu trigger={trigger} items={[]} hasFocusAtFirst isOpenAtFirst={false} />;
  };
  render(<Page />);
  return name;
};

it('has the focus of the trigger before it as soon as it is there, so that nothing moves it elsewhere meanwhile', () => {
  expect(focusedAsItCame()).toBe('More');
});

it('leaves the focus to what has it by then', () => {
  const elsewhere = document.createElement('button');
  elsewhere.setAttribute('aria-label', 'A picture');
  document.body.append(elsewhere);
  elsewhere.focus();
  expect(focusedAsItCame()).toBe('A picture');
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.remove();
});
