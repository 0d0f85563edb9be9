import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useRef, useState, useCallback, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api/apiError.ts';
import type { CollectionKind } from '../actions/listActions.ts';
import type { MediaSource } from '../../lib/items/mediaSource.ts';
import { ConfirmDialog } from '../overlays/ConfirmDialog.tsx';
import { useMediaQuery } from '../../lib/browser/useMediaQuery.ts';
import { useViewerActions } from './item/useViewerActions.ts';
import { Arrow, LiveBadge, SlideshowBar } from './chrome/StageControls.tsx';
import { TopBar } from './chrome/TopBar.tsx';
import { describeItem } from './item/describeItem.ts';
import { InfoPanel } from './info/InfoPanel.tsx';
import { findSuccessor, loadAround, findNeighbours, type Neighbours } from './item/neighbours.ts';
import { getTranscoding } from './item/condition.ts';
import { Stage } from './stage/Stage.tsx';
import { usePlayback } from './usePlayback.ts';
import { useAutoHideControls } from './useAutoHideControls.ts';
import styles from './Viewer.module.css';
import { ownItemQuery, type ViewedItemQuery } from './item/viewedItem.ts';
import { handleViewerKey } from './viewerKeys.ts';
import { lazyComponent } from '../../lib/browser/lazyComponent.ts';

const AddToAlbumDialog = lazyComponent('AddToAlbumDialog', () => import('../actions/AddToAlbumDialog.tsx'));

/** Polling interval of transcoding progress, in ms. The server sends an event only at the end. */
const progressMs = 3000;

interface ViewerProps {
  readonly itemId: string;
  readonly source: MediaSource;
  readonly kind: CollectionKind;
  readonly onShow: (id: string) => void;
  readonly onClose: () => void;
  /** Query of an item. Default: an item of the user. Must be stable. */
  readonly getItem?: ViewedItemQuery;
}

/** Full-page viewer of one item and its neighbours. On close, the focus returns to the item's grid cell. */
export const Viewer = (props: ViewerProps) => (
  <Dialog.Root open disablePointerDismissal onOpenChange={(isOpen) => !isOpen && props.onClose()}>
    <Dialog.Portal>
      <ViewerPopup {...props} />
    </Dialog.Portal>
  </Dialog.Root>
);

const ViewerPopup = ({ itemId, source, kind, onShow, onClose, getItem = ownItemQuery }: ViewerProps) => {
  const { t, i18n } = useTranslation(['viewer', 'collections']);
  const popup = useRef<HTMLDivElement>(null);
  const neighbours = useNeighbours(itemId, source);
  const { previous, item: grid, next, position } = neighbours;
  const { data: item, error } = useQuery({
    ...getItem(itemId),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && getTranscoding(data).kind === 'running' ? progressMs : false,
  });
  const [isInfoOpen, setIsInfoOpen] = useState(false);
  const [openDialog, setOpenDialog] = useState<'album' | 'removeForGood'>();
  const isVisitor = kind.name === 'shared';
  const isNarrow = useMediaQuery(isInfoOpen ? '(width < 64rem)' : '(width < 48rem)');
  const isFavourite = item?.favourite ?? grid?.favourite ?? false;
  const showPrevious = previous && (() => onShow(previous.id));
  const showNext = next && (() => onShow(next.id));
  const { playback, slideshow, togglePlaying } = usePlayback({ itemId, item, grid, onNext: showNext });
  const controls = useAutoHideControls(popup, isInfoOpen || openDialog !== undefined);
  const fullScreen = useFullScreen();
  const actions = useViewerActions({
    id: itemId,
    item,
    isFavourite,
    isGone: error instanceof ApiError && error.status === 404,
    kind,
    onLeave: () => {
      const successor = findSuccessor(itemId, source);
      if (successor === undefined) onClose();
      else onShow(successor);
    },
    openDialog: setOpenDialog,
  });
  const getAction = (...names: readonly Parameters<typeof actions.act>[0][]) => {
    const name = names.find((name) => actions.names.includes(name));
    return name && (() => actions.act(name));
  };
  const positionText =
    position === undefined || source.total === undefined ? undefined : { position, total: source.total };
  const description = describeItem(grid, item, t, i18n.language);
  return (
    <Dialog.Popup
      ref={popup}
      className={styles['viewer']}
      initialFocus={popup}
      finalFocus={() => document.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(itemId)}"]`) ?? true}
      data-resting={!controls.areVisible}
      onPointerMove={({ pointerType }) => pointerType === 'mouse' && controls.show()}
      onFocus={controls.show}
      onKeyDown={(event) =>
        handleViewerKey(event, {
          onPrevious: showPrevious,
          onNext: showNext,
          onFullScreen: fullScreen.toggle,
          onInfo: () => setIsInfoOpen(!isInfoOpen),
          onTrash: getAction('trash', 'removeForGood'),
          onFavourite: getAction('favourite', 'unfavourite'),
          onSimilar: getAction('findSimilar'),
          onPlay: togglePlaying,
        })
      }
    >
      <Dialog.Title className="visually-hidden">{t('title')}</Dialog.Title>
      <Dialog.Description className="visually-hidden" aria-live="polite">
        {positionText === undefined ? description : t('counted', { ...positionText, description })}
      </Dialog.Description>
      <Stage
        itemId={itemId}
        neighbours={neighbours}
        getItem={getItem}
        playback={playback}
        onShow={onShow}
        onClose={onClose}
        onTouch={controls.toggle}
      />
      <div className={styles['chrome']}>
        <TopBar
          actions={actions}
          isFavourite={isFavourite}
          position={positionText && t('position', positionText)}
          isNarrow={isNarrow}
          isInfoOpen={isInfoOpen}
          onInfo={() => setIsInfoOpen(!isInfoOpen)}
          isFull={fullScreen.isFull}
          onFullScreen={fullScreen.toggle}
          onSlideshow={next === undefined || slideshow.isRunning ? undefined : slideshow.start}
          onClose={onClose}
        />
        {item?.motionUrl !== undefined && <LiveBadge isPlaying={playback.isPlaying} onPlaying={playback.onPlaying} />}
        <Arrow side="previous" label={t('previous')} onShow={showPrevious} />
        <Arrow side="next" label={t('next')} onShow={showNext} />
        {slideshow.isRunning && <SlideshowBar slideshow={slideshow} />}
      </div>
      {isInfoOpen && (
        <InfoPanel
          id={itemId}
          item={item}
          matchReasons={grid?.found}
          isVisitor={isVisitor}
          onClose={() => setIsInfoOpen(false)}
        />
      )}
      {openDialog === 'album' && (
        <Suspense>
          <AddToAlbumDialog mediaItemIds={[itemId]} isOpen onClose={() => setOpenDialog(undefined)} />
        </Suspense>
      )}
      <ConfirmDialog
        isOpen={openDialog === 'removeForGood'}
        title={t('collections:removeForGood.title', { count: 1 })}
        confirm={t('collections:removeForGood.confirm')}
        onConfirm={actions.removeForGood}
        onClose={() => setOpenDialog(undefined)}
      >
        <p>{t('collections:removeForGood.text')}</p>
      </ConfirmDialog>
    </Dialog.Popup>
  );
};

/**
 * Returns the fullscreen state and a toggle, undefined if unsupported. Uses the whole document, so that toasts stay
 * visible.
 */
const useFullScreen = (): { readonly isFull: boolean; readonly toggle: (() => void) | undefined } => {
  const [isFull, setIsFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const syncFullScreen = (): void => setIsFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', syncFullScreen);
    return () => {
      document.removeEventListener('fullscreenchange', syncFullScreen);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, []);
  const toggle = useCallback(() => {
    if (document.fullscreenElement === null) void document.documentElement.requestFullscreen().catch(() => undefined);
    else void document.exitFullscreen();
  }, []);
  return { isFull, toggle: document.fullscreenEnabled ? toggle : undefined };
};

/**
 * Returns the neighbours of an item and loads more of the list near its ends. An item removed from the list keeps its
 * neighbours while it is shown.
 */
const useNeighbours = (id: string, source: MediaSource): Neighbours => {
  const found = findNeighbours(id, source);
  const [last, setLast] = useState({ id, found });
  const isListed = found.item !== undefined;
  if (isListed && (last.id !== id || !isSame(last.found, found))) setLast({ id, found });
  useEffect(() => loadAround(id, source), [id, source]);
  if (isListed || last.id !== id) return found;
  const listed = (neighbour: string | undefined) => source.items.find((item) => item.id === neighbour);
  return { ...found, previous: listed(last.found.previous?.id), next: listed(last.found.next?.id) };
};

function isSame(a: Neighbours, b: Neighbours): boolean {
  return a.previous?.id === b.previous?.id && a.next?.id === b.next?.id && a.item?.id === b.item?.id;
}
