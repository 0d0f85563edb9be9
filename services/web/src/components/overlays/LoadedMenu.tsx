import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useLayoutEffect, useRef, type ComponentProps, type ReactElement } from 'react';
import type { LucideIcon } from 'lucide-react';
import listItem from '../page/ListItem.module.css';
import styles from './Menu.module.css';

/** One thing that a menu offers: an action, or a page to go to. */
type MenuItem = {
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

interface Props extends MenuProps {
  /** Whether the trigger was focused as the menu came. */
  readonly hasFocusAtFirst: boolean;
  /** Whether the trigger was pressed before the menu was there. */
  readonly isOpenAtFirst: boolean;
}

/** A menu with its trigger, which takes the place of a trigger without one, and the focus that was on it. */
export const LoadedMenu = ({ trigger, items, side = 'bottom', hasFocusAtFirst, isOpenAtFirst }: Props) => {
  const triggerRef = useRef<HTMLButtonElement>(null);
  // Before anything else sees that the focus is gone with the trigger it was on: a later call would take it from where it has moved meanwhile.
  useLayoutEffect(() => {
    if (hasFocusAtFirst && !isOpenAtFirst && document.activeElement === document.body) triggerRef.current?.focus();
  }, [hasFocusAtFirst, isOpenAtFirst]);
  return (
    <BaseMenu.Root defaultOpen={isOpenAtFirst}>
      <BaseMenu.Trigger ref={triggerRef} render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles['positioner']} side={side} sideOffset={4} align="end">
          <BaseMenu.Popup className={styles['popup']}>
            {items.map((item) => (
              <Item key={item.label} {...item} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
};

const Item = ({ label, icon: Icon, isDanger = false, to, onSelect }: MenuItem) => {
  const className = [listItem['item'], isDanger ? styles['danger'] : ''].join(' ');
  const content = (
    <>
      {Icon !== undefined && <Icon aria-hidden size={20} strokeWidth={1.75} />}
      {label}
    </>
  );
  return to === undefined ? (
    <BaseMenu.Item className={className} onClick={onSelect}>
      {content}
    </BaseMenu.Item>
  ) : (
    <BaseMenu.LinkItem closeOnClick className={className} render={<Link to={to} />}>
      {content}
    </BaseMenu.LinkItem>
  );
};
