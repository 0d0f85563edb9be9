import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Idle time after which controls fade, in ms. */
const restMs = 3000;

/** Controls that fade when idle, and return on mouse movement, focus or touch. */
export interface RestingControls {
  readonly areVisible: boolean;
  /** Shows the controls until they are idle again. */
  readonly wake: () => void;
  /** Shows or hides the controls at once, for a tap on the picture. */
  readonly toggle: () => void;
}

/** Controls the visibility of the controls inside `ref`. They stay while one has keyboard focus or an open menu. */
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
