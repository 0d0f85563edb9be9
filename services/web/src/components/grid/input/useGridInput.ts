import { useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react';
import { useSelectionStore } from '../../selection/Selection.tsx';
import { makeGridFocus, type GridFocus } from './gridFocus.ts';
import { isMovingKey, type MovingKey } from './gridNavigation.ts';
import { useLongPress, type LongPressHandlers } from './useLongPress.ts';

export interface GridGeometry {
  readonly onOpen: (id: string) => void;
  /** Returns the item that a key moves to, if any. */
  readonly move: (id: string, key: MovingKey) => string | undefined;
  /** Scrolls so that the item's cell is rendered. */
  readonly reveal: (id: string) => void;
  /** Returns the ids from one item to the other in list order, both included, in either direction. */
  readonly idsBetween: (from: string, to: string) => readonly string[] | Promise<readonly string[]>;
}

export type GridHandlers = LongPressHandlers & {
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onFocus: (event: { readonly target: EventTarget }) => void;
};

/**
 * Handles opening, selection and focus in a grid by mouse, touch and keyboard.
 *
 * Click: opens, or selects while a selection exists. Checkbox, Ctrl+click and long press: select one. Shift+click:
 * selects a range. Arrows: move, and select with Shift. Space and X: select. Enter: opens. Escape: clears the
 * selection.
 */
export const useGridInput = (
  geometry: GridGeometry,
): {
  readonly container: RefObject<HTMLDivElement | null>;
  readonly focus: GridFocus;
  readonly handlers: GridHandlers;
  readonly focusItem: (id: string) => void;
  /** Call in a layout effect after each render of cells. */
  readonly onRendered: () => void;
} => {
  const container = useRef<HTMLDivElement>(null);
  const [focus] = useState(makeGridFocus);
  const pendingFocusId = useRef<string>(undefined);
  const selection = useSelectionStore();
  const longPress = useLongPress((target) => {
    const id = getItemId(target);
    if (id !== undefined) selection.get().toggle(id);
    return id !== undefined;
  });

  const focusPending = (): void => {
    if (pendingFocusId.current === undefined) return;
    const cell = container.current?.querySelector<HTMLElement>(
      `[data-item-id="${CSS.escape(pendingFocusId.current)}"]`,
    );
    if (cell === null || cell === undefined) return;
    pendingFocusId.current = undefined;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest' });
  };
  const onRendered = (): void => {
    // A distant cell is rendered only after the scroll.
    focusPending();
    focus.setFirst(container.current?.querySelector<HTMLElement>('[data-item-id]')?.dataset['itemId']);
  };

  const focusItem = (id: string): void => {
    focus.setActive(id);
    pendingFocusId.current = id;
    focusPending();
    if (pendingFocusId.current !== undefined) geometry.reveal(id);
  };

  const selectRangeTo = async (id: string): Promise<void> => {
    const ids = await geometry.idsBetween(selection.anchor() ?? id, id);
    selection.get().selectRangeTo(id, ids);
  };

  const handlers: GridHandlers = {
    ...longPress.handlers,
    onFocus: ({ target }) => {
      const id = getItemId(target);
      if (id !== undefined) focus.setActive(id);
    },
    onClick: (event) => {
      const id = getItemId(event.target);
      if (id === undefined || longPress.hasJustFired()) return;
      const isToggle = event.target instanceof Element && event.target.closest('[data-mark]') !== null;
      if (event.shiftKey) void selectRangeTo(id);
      else if (isToggle || event.ctrlKey || event.metaKey || selection.get().ids.size > 0) selection.get().toggle(id);
      else geometry.onOpen(id);
    },
    onKeyDown: (event) => {
      const id = getItemId(event.target);
      if (id === undefined || event.altKey) return;
      if (isMovingKey(event.key)) {
        event.preventDefault();
        const next = geometry.move(id, event.key);
        if (next === undefined) return;
        if (event.shiftKey) {
          if (!selection.get().ids.has(id)) selection.get().setSelected([id], true);
          void selectRangeTo(next);
        }
        focusItem(next);
      } else if (event.key === ' ' || event.key === 'x') {
        if (event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (event.shiftKey) void selectRangeTo(id);
        else selection.get().toggle(id);
      } else if (event.key === 'Enter') {
        event.preventDefault();
        geometry.onOpen(id);
      } else if (event.key === 'Escape' && selection.get().ids.size > 0) {
        event.stopPropagation();
        selection.get().clear();
      }
    },
  };
  return { container, focus, handlers, focusItem, onRendered };
};

function getItemId(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-item-id]')?.dataset['itemId'] : undefined;
}
