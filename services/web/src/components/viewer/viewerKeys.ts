import type { KeyboardEvent } from 'react';

/** Shortcut handlers of the viewer; undefined if unavailable. */
export interface ViewerKeys {
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onFullScreen: (() => void) | undefined;
  readonly onInfo: () => void;
  readonly onTrash: (() => void) | undefined;
  readonly onFavourite: (() => void) | undefined;
  readonly onSimilar: (() => void) | undefined;
  readonly onPlay: () => void;
}

/** Handles a key press in the viewer, unless a focused field, video or button handles it. */
export const handleViewerKey = (event: KeyboardEvent, keys: ViewerKeys): void => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const target = event.target instanceof Element ? event.target : null;
  // React events of dialogs and menus over the viewer bubble to it, too.
  if (target === null || !event.currentTarget.contains(target)) return;
  if (isWithin(target, 'input, textarea, select')) return;
  const action = getAction(event.key, keys, target);
  if (action === undefined) return;
  event.preventDefault();
  action();
};

function getAction(key: string, keys: ViewerKeys, target: Element): (() => void) | undefined {
  const isOnVideo = isWithin(target, 'video');
  switch (key.length === 1 ? key.toLowerCase() : key) {
    case 'ArrowLeft':
      return isOnVideo ? undefined : keys.onPrevious;
    case 'ArrowRight':
      return isOnVideo ? undefined : keys.onNext;
    case 'f':
      return keys.onFullScreen;
    case 'i':
      return keys.onInfo;
    case 'd':
    case 'Delete':
      return keys.onTrash;
    case 'm':
      return keys.onSimilar;
    case 's':
      return keys.onFavourite;
    case ' ':
      return isOnVideo || isWithin(target, 'button, a, summary') ? undefined : keys.onPlay;
    default:
      return undefined;
  }
}

function isWithin(target: Element, selector: string): boolean {
  return target.closest(selector) !== null;
}
