import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';

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
