import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Idle time after which controls fade, in ms. */
const hideAfterMs = 3000;

/** Controls that fade when idle, and return on mouse movement, focus or touch. */
export interface AutoHideControls {
  readonly areVisible: boolean;
  /** Shows the controls until they are idle again. */
  readonly show: () => void;
  /** Shows or hides the controls at once, for a tap on the picture. */
  readonly toggle: () => void;
}

/**
 * Fades the controls inside `ref` when idle. Keeps them visible while `isPinned`, or while one of them has keyboard
 * focus or an open menu.
 */
export const useAutoHideControls = (ref: RefObject<HTMLElement | null>, isPinned: boolean): AutoHideControls => {
  const [areVisible, setAreVisible] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const startHideTimer = useCallback(() => {
    clearTimeout(timer.current);
    const hide = (): void => {
      const isUsed = ref.current?.querySelector('[data-control] :is(:focus-visible, [aria-expanded="true"])') !== null;
      if (isUsed) timer.current = setTimeout(hide, hideAfterMs);
      else setAreVisible(false);
    };
    timer.current = setTimeout(hide, hideAfterMs);
  }, [ref]);
  useEffect(() => {
    startHideTimer();
    return () => clearTimeout(timer.current);
  }, [startHideTimer]);
  return {
    areVisible: areVisible || isPinned,
    show: () => {
      setAreVisible(true);
      startHideTimer();
    },
    toggle: () => {
      clearTimeout(timer.current);
      setAreVisible(!areVisible);
    },
  };
};
