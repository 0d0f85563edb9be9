import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

/** A finger that rests this long, in milliseconds, means more than a tap. */
const longAfterMs = 450;

/** A finger that moves further than this, in CSS pixels, scrolls. */
const mostMove = 10;

/** The click and the menu that follow a long press come within this time, in milliseconds, after the finger was lifted. */
const echoMs = 400;

export interface LongPressHandlers {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: () => void;
  readonly onPointerCancel: () => void;
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
}

/**
 * Calls `onLongPress` with what a finger rests on; it answers whether that meant something. `hasJustFired` tells of a click that it is
 * the end of a long press.
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
  const lift = (): void => {
    cancel();
    if (hasFired.current) liftedMs.current = performance.now();
  };
  return {
    hasJustFired: () => hasFired.current && performance.now() - liftedMs.current < echoMs,
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
        }, longAfterMs);
      },
      onPointerMove: ({ clientX, clientY }) => {
        if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > mostMove) cancel();
      },
      onPointerUp: lift,
      onPointerCancel: lift,
      // On a touch screen the browser's menu would open over what was just selected.
      onContextMenu: (event) => {
        if (isTouch.current) event.preventDefault();
      },
    },
  };
};
