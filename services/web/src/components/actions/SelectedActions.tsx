import { Ellipsis, ListChecks, X } from 'lucide-react';
import { Suspense, useState, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../controls/Button.tsx';
import { ConfirmDialog } from '../overlays/ConfirmDialog.tsx';
import { IconButton } from '../controls/IconButton.tsx';
import { Menu } from '../overlays/Menu.tsx';
import { useMediaQuery } from '../../lib/browser/useMediaQuery.ts';
import type { GridItem } from '../../lib/items/gridItem.ts';
import { useSelection } from '../selection/Selection.tsx';
import { actionIcons, type ActionName, type CollectionKind } from './listActions.ts';
import type { FindDownload } from '../../lib/changes/downloadAll.ts';
import styles from './SelectionBar.module.css';
import { useSelectedActions } from './useSelectedActions.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';

export interface SelectionBarProps {
  readonly kind: CollectionKind;
  /** Loaded items of the list; "select all" selects them. */
  readonly items?: readonly GridItem[];
  /** Returns the ids of the loaded favourites in the list. Default: the favourites among `items`. */
  readonly favourites?: () => ReadonlySet<string>;
  /** Finds the file to download. Default: the user's original. */
  readonly findDownload?: FindDownload;
}

const AddToAlbumDialog = lazyComponent('AddToAlbumDialog', () => import('./AddToAlbumDialog.tsx'));

const noItems: readonly GridItem[] = [];

/** Number of actions shown as buttons. The menu contains the others. */
const maxButtons = { narrow: 3, wide: 7 } as const;

export const SelectedActions = ({ kind, items = noItems, favourites, findDownload }: SelectionBarProps) => {
  const { t } = useTranslation('collections');
  const { ids, clear, setSelected } = useSelection();
  const isNarrow = useMediaQuery('(width < 48rem)');
  const [openDialog, setOpenDialog] = useState<'album' | 'removeForGood'>();
  const { actions, runAction, removeForGood } = useSelectedActions({
    kind,
    favourites: favourites?.() ?? new Set(items.filter(({ favourite }) => favourite).map(({ id }) => id)),
    findDownload,
    openDialog: setOpenDialog,
  });
  useEscapeToClear(clear);

  const limit = isNarrow ? maxButtons.narrow : maxButtons.wide;
  const isAllSelected = items.every(({ id }) => ids.has(id));
  const button = (name: ActionName) => {
    const label = t(`actions.name.${name}`);
    if (name !== 'keepOnly')
      return <IconButton key={name} icon={actionIcons[name]} label={label} onClick={() => runAction(name)} />;
    // The main action of this page has a text label, because no icon expresses it.
    return (
      <Button key={name} variant="primary" aria-label={label} title={label} onClick={() => runAction(name)}>
        {t('actions.keep')}
      </Button>
    );
  };
  const inMenu = actions.slice(limit).map((name) => ({
    label: t(`actions.name.${name}`),
    icon: actionIcons[name],
    onSelect: () => runAction(name),
  }));
  const selectAll = {
    label: t('selection.all'),
    icon: ListChecks,
    onSelect: () =>
      setSelected(
        items.map(({ id }) => id),
        true,
      ),
  };
  const isAllInMenu = isNarrow && !isAllSelected;
  const menu = isAllInMenu ? [selectAll, ...inMenu] : inMenu;

  return (
    <section className={styles['bar']} aria-label={t('selection.bar')}>
      <IconButton icon={X} label={t('selection.clear')} onClick={clear} />
      <p className={styles['count']} aria-hidden>
        {isNarrow ? ids.size.toLocaleString() : t('selection.count', { count: ids.size })}
      </p>
      {!isNarrow && !isAllSelected && (
        <IconButton icon={selectAll.icon} label={selectAll.label} onClick={selectAll.onSelect} />
      )}
      {actions.slice(0, limit).map(button)}
      {menu.length > 0 && <Menu trigger={<IconButton icon={Ellipsis} label={t('selection.more')} />} items={menu} />}
      {openDialog === 'album' && (
        <Suspense>
          <AddToAlbumDialog mediaItemIds={[...ids]} isOpen onClose={() => setOpenDialog(undefined)} onAdded={clear} />
        </Suspense>
      )}
      <ConfirmDialog
        isOpen={openDialog === 'removeForGood'}
        title={t('removeForGood.title', { count: ids.size })}
        confirm={t('removeForGood.confirm')}
        onConfirm={removeForGood}
        onClose={() => setOpenDialog(undefined)}
      >
        <p>{t('removeForGood.text')}</p>
      </ConfirmDialog>
    </section>
  );
};

/** Overlays that Escape closes. Toasts are non-modal dialogs and do not count. */
const overlaySelector = '[role="dialog"]:not([aria-modal="false"]), [role="alertdialog"], [role="menu"]';

/** Clears the selection on Escape, unless an overlay is open. */
const useEscapeToClear = (clear: () => void): void => {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    if (document.querySelector(overlaySelector) === null) clear();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    // Capture phase: runs before a dialog or menu closes on the same key.
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
};
