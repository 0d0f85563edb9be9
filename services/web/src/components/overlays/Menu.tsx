import { cloneElement, startTransition, Suspense, useState } from 'react';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';
import type { MenuProps } from './LoadedMenu.tsx';

// The positioning code is a fifth of the initial script, so it loads when a menu is about to open.
const LoadedMenu = lazyComponent('LoadedMenu', () => import('./LoadedMenu.tsx'));

export const Menu = (props: MenuProps) => {
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  // A transition keeps the trigger mounted until the menu has loaded.
  const load = (): void => startTransition(() => setIsHovered(true));
  return (
    <Suspense>
      {isHovered ? (
        <LoadedMenu {...props} initialFocus={isFocused} initialOpen={isPressed} />
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
