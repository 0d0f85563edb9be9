import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { cloneElement, startTransition, Suspense, useState, type ComponentProps, type ReactElement } from 'react';
import { lazyComponent } from './lazyComponent.ts';

/** One thing that a menu offers: an action, or a page to go to. */
export type MenuItem = {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** What deletes or cannot be taken back. */
  readonly isDanger?: boolean;
} & (
  | { readonly onSelect: () => void; readonly to?: never }
  | { readonly to: LinkProps['to']; readonly onSelect?: never }
);

/** What a menu is made of. */
export interface MenuProps {
  /** A button. */
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  readonly items: readonly MenuItem[];
  readonly side?: 'top' | 'bottom';
}

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
