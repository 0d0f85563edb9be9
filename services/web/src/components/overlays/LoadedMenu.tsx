import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useLayoutEffect, useRef, type ComponentProps, type ReactElement } from 'react';
import type { LucideIcon } from 'lucide-react';
import listItem from '../page/ListItem.module.css';
import styles from './Menu.module.css';

type MenuItem = {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly isDanger?: boolean;
} & (
  | { readonly onSelect: () => void; readonly to?: never }
  | { readonly to: LinkProps['to']; readonly onSelect?: never }
);

export interface MenuProps {
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  readonly items: readonly MenuItem[];
  readonly side?: 'top' | 'bottom';
}

interface Props extends MenuProps {
  /** True if the trigger was focused when the menu was mounted. */
  readonly initialFocus: boolean;
  /** True if the trigger was clicked before the menu had loaded. */
  readonly initialOpen: boolean;
}

/** Menu with its trigger. Replaces the trigger that `Menu` showed while loading, and keeps its focus. */
export const LoadedMenu = ({ trigger, items, side = 'bottom', initialFocus, initialOpen }: Props) => {
  const triggerRef = useRef<HTMLButtonElement>(null);
  // Runs in a layout effect, before other code detects the lost focus and moves it to another element.
  useLayoutEffect(() => {
    if (initialFocus && !initialOpen && document.activeElement === document.body) triggerRef.current?.focus();
  }, [initialFocus, initialOpen]);
  return (
    <BaseMenu.Root defaultOpen={initialOpen}>
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
