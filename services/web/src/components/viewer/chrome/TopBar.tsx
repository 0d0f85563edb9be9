import { ArrowLeft, Ellipsis, Heart, Info, Maximize, Minimize, Play, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { actionIcons, type ActionName } from '../../actions/listActions.ts';
import { IconButton } from '../../controls/IconButton.tsx';
import { Menu } from '../../overlays/Menu.tsx';
import type { ViewerActions } from '../item/useViewerActions.ts';
import styles from './TopBar.module.css';

/** Keyboard shortcuts shown in tooltips. */
const shortcuts: Readonly<Partial<Record<ActionName, string>>> = {
  favourite: 'S',
  unfavourite: 'S',
  trash: 'D',
  removeForGood: 'D',
  findSimilar: 'M',
};

/** Maximum number of actions on a narrow screen without a menu. */
const maxNarrowActions = 3;

interface ToolbarAction {
  readonly key: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
  readonly shortcut?: string | undefined;
  readonly isDanger?: boolean;
}

/** Toolbar of the viewer. On narrow screens, most actions are in a menu. */
export const TopBar = (props: {
  readonly actions: ViewerActions;
  readonly isFavourite: boolean;
  readonly position: string | undefined;
  readonly isNarrow: boolean;
  readonly isInfoOpen: boolean;
  readonly onInfo: () => void;
  readonly isFull: boolean;
  readonly onFullScreen: (() => void) | undefined;
  readonly onSlideshow: (() => void) | undefined;
  readonly onClose: () => void;
}) => {
  const { t } = useTranslation(['viewer', 'collections']);
  const listedActions = props.actions.names.map((name): ToolbarAction => ({
    key: name,
    label: t(`collections:actions.name.${name}`),
    icon: actionIcons[name],
    onSelect: () => props.actions.act(name),
    shortcut: shortcuts[name],
    isDanger: name === 'removeForGood',
  }));
  const slideshow: readonly ToolbarAction[] =
    props.onSlideshow === undefined
      ? []
      : [
          {
            key: 'slideshow',
            label: t('slideshow.start'),
            icon: Play,
            onSelect: props.onSlideshow,
            shortcut: t('keys.space'),
          },
        ];
  const fullScreen: readonly ToolbarAction[] =
    props.onFullScreen === undefined
      ? []
      : [
          {
            key: 'fullScreen',
            label: props.isFull ? t('fullScreen.end') : t('fullScreen.begin'),
            icon: props.isFull ? Minimize : Maximize,
            onSelect: props.onFullScreen,
            shortcut: 'F',
          },
        ];
  const toolbarActions = props.isNarrow
    ? [...listedActions, ...slideshow, ...fullScreen]
    : [...slideshow, ...fullScreen, ...listedActions];
  const isShown = ({ key }: ToolbarAction): boolean =>
    !props.isNarrow ||
    toolbarActions.length <= maxNarrowActions ||
    key === 'favourite' ||
    key === 'unfavourite' ||
    key === 'restore';
  const hidden = toolbarActions.filter((action) => !isShown(action));
  return (
    <div className={styles['bar']} data-control>
      <IconButton
        icon={ArrowLeft}
        label={t('back')}
        title={t('withShortcut', { label: t('back'), key: t('keys.escape') })}
        onPicture
        onClick={props.onClose}
      />
      <p className={styles['position']} aria-hidden>
        {props.position}
      </p>
      {toolbarActions.filter(isShown).map((action) => (
        <ToolbarButton key={action.key} action={action} isFavourite={props.isFavourite} />
      ))}
      <IconButton
        icon={Info}
        label={t('info.title')}
        title={t('withShortcut', { label: t('info.title'), key: 'I' })}
        aria-keyshortcuts="I"
        aria-pressed={props.isInfoOpen}
        className={styles['toggle']}
        onPicture
        onClick={props.onInfo}
      />
      {hidden.length > 0 && (
        <Menu
          trigger={<IconButton icon={Ellipsis} label={t('more')} onPicture />}
          items={hidden.map(({ key: _key, shortcut: _shortcut, ...item }) => item)}
        />
      )}
    </div>
  );
};

const ToolbarButton = ({ action, isFavourite }: { readonly action: ToolbarAction; readonly isFavourite: boolean }) => {
  const { t } = useTranslation('viewer');
  const isHeart = action.key === 'favourite' || action.key === 'unfavourite';
  const { label, shortcut } = action;
  return (
    <IconButton
      icon={isHeart ? Heart : action.icon}
      label={label}
      title={shortcut === undefined ? label : t('withShortcut', { label, key: shortcut })}
      {...(shortcut?.length === 1 ? { 'aria-keyshortcuts': shortcut } : {})}
      className={isHeart && isFavourite ? styles['favourite'] : undefined}
      onPicture
      onClick={action.onSelect}
    />
  );
};
