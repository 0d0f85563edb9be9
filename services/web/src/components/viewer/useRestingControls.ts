import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** After how long without a move, a key or a touch controls fade. */
const restMs = 3000;

/** Controls that fade when nothing happens, and come back on a move of the mouse, on focus and on a touch. */
export interface RestingControls {
  readonly areVisible: boolean;
  /** Shows them, and lets them fade after a while. */
  readonly wake: () => void;
  /** Shows or hides them at once, as a touch on the picture does. */
  readonly toggle: () => void;
}

/** Whether the controls inside `ref` are to be seen; they stay while the keyboard's focus or an open menu is among them. */
export const useRestingControls = (ref: RefObject<HTMLElement | null>, stay: boolean): RestingControls => {
  const [areVisible, setAreVisible] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rest = useCallback(() => {
    clearTimeout(timer.current);
    const fade = (): void => {
      const isUsed = ref.current?.querySelector('[data-control] :is(:focus-visible, [aria-expanded="true"])') !== null;
      if (isUsed) timer.current = setTimeout(fade, restMs);
      else setAreVisible(false);
    };
    timer.current = setTimeout(fade, restMs);
  }, [ref]);
  useEffect(() => {
    rest();
    return () => clearTimeout(timer.current);
  }, [rest]);
  return {
    areVisible: areVisible || stay,
    wake: () => {
      setAreVisible(true);
      rest();
    },
    toggle: () => {
      clearTimeout(timer.current);
      setAreVisible(!areVisible);
    },
  };
};
