import { cloneElement, startTransition, Suspense, useState } from 'react';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import type { MenuProps } from './LoadedMenu.tsx';

// What places a menu on the page is a fifth of the script of a first load: it comes when somebody is about to open one.
const LoadedMenu = lazyComponent('LoadedMenu', () => import('./LoadedMenu.tsx'));

/** A list that `trigger` opens. */
export const Menu = (props: MenuProps) => {
  const [isNear, setIsNear] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  // A transition keeps the trigger on the page until the menu is there.
  const load = (): void => startTransition(() => setIsNear(true));
  return (
    <Suspense>
      {isNear ? (
        <LoadedMenu {...props} hasFocusAtFirst={isFocused} isOpenAtFirst={isPressed} />
      ) : (
        cloneElement(props.trigger, {
          'aria-haspopup': 'menu',
          'aria-expanded': false,
          onPointerEnter: load,
          onFocus: () => {
            setIsFocused(true);
            load();
          },
          onBlur: () => setIsFocused(false),
          onClick: () => {
            setIsPressed(true);
            load();
          },
        })
      )}
    </Suspense>
  );
};
