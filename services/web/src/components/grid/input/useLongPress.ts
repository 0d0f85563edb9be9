import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

/** Minimum duration of a long press, in ms. */
const longPressMs = 450;

/** Movement, in CSS pixels, beyond which a touch is a scroll. */
const maxMovePx = 10;

/** Time after a long press within which the browser sends its click and context menu, in ms. */
const ignoreClickMs = 400;

export interface LongPressHandlers {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
}

/**
 * Calls `onLongPress` with the touched element; it returns whether it handled the press. `hasJustFired` identifies the
 * click event that ends a long press.
 */
export const useLongPress = (
  onLongPress: (target: EventTarget) => boolean,
): { readonly handlers: LongPressHandlers; readonly hasJustFired: () => boolean } => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const isTouch = useRef(false);
  const hasFired = useRef(false);
  const liftedMs = useRef(Number.NEGATIVE_INFINITY);
  const cancel = (): void => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const handlePointerUp = (): void => {
    cancel();
    if (hasFired.current) liftedMs.current = performance.now();
  };
  return {
    hasJustFired: () => hasFired.current && performance.now() - liftedMs.current < ignoreClickMs,
    handlers: {
      onPointerDown: ({ pointerType, clientX, clientY, target, isPrimary }) => {
        cancel();
        hasFired.current = false;
        isTouch.current = pointerType === 'touch';
        if (!isTouch.current || !isPrimary) return;
        start.current = { x: clientX, y: clientY };
        timer.current = setTimeout(() => {
          hasFired.current = onLongPress(target);
          if (hasFired.current) navigator.vibrate?.(10);
        }, longPressMs);
      },
      onPointerMove: ({ clientX, clientY }) => {
        if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > maxMovePx) cancel();
      },
      onPointerUp: handlePointerUp,
      onPointerCancel: handlePointerUp,
      // On touch screens, the browser's menu would cover the selection.
      onContextMenu: (event) => {
        if (isTouch.current) event.preventDefault();
      },
    },
  };
};
