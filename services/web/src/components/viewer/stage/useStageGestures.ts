import { useGesture } from '@use-gesture/react';
import { useLayoutEffect, useRef, type RefObject } from 'react';
import { getDoubleClickScale, fittedView, clampView, zoomAround, type Point, type Size, type View } from './zoom.ts';

/** Maximum time and distance between the taps of a double tap. */
const doubleTap = { ms: 300, px: 30 } as const;

/** Maximum duration of a tap, in ms. A longer touch is a hold, which plays a Live Photo. */
const maxTapMs = 250;

/** Height of the native video controls, which handle their own drags. */
const videoControlsPx = 80;

/** Minimum length of a swipe to a neighbour, as a share of the stage's width. */
const swipeShare = 0.25;

/** Minimum length of a downward drag that closes the viewer. */
const dismissPx = 120;

/** Exponent of the zoom factor per wheel pixel. */
const zoomPerWheelPx = 0.002;
const pxPerLine = 16;

interface StageGestures {
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly stage: Size;
  readonly fit: Size;
  readonly maxScale: number;
  /** False for videos, which have their own controls. */
  readonly canZoom: boolean;
  /** Shows the previous item, if any. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onDismiss: () => void;
  /** Called on a single tap. */
  readonly onTouch: () => void;
}

/**
 * Handles drag, pinch, wheel and tap on the stage. Zooms around the pointer. A drag pans a zoomed picture. Otherwise, a
 * horizontal swipe shows a neighbour, and a downward swipe closes the viewer. During a swipe, the slides follow the
 * finger through the CSS variables `--drag-x` and `--drag-y`.
 */
export const useStageGestures = (
  stageRef: RefObject<HTMLElement | null>,
  itemId: string,
  gestures: StageGestures,
): void => {
  const shownId = useRef(itemId);
  const lastTap = useRef({ at: 0, x: 0, y: 0 });
  const { view, onView, stage, fit, maxScale, canZoom } = gestures;
  const isZoomed = view.scale > 1;
  const limits = { stage, fit, maxScale };

  const toStagePoint = ([x, y]: readonly [number, number]): Point => {
    const box = stageRef.current?.getBoundingClientRect();
    return box === undefined ? { x: 0, y: 0 } : { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };

  const tap = (xy: readonly [number, number], at: number, isTouch: boolean): void => {
    const before = lastTap.current;
    const isDouble = at - before.at < doubleTap.ms && Math.hypot(xy[0] - before.x, xy[1] - before.y) < doubleTap.px;
    lastTap.current = isDouble ? { at: 0, x: 0, y: 0 } : { at, x: xy[0], y: xy[1] };
    if (isDouble && canZoom)
      onView(zoomAround(view, getDoubleClickScale(view.scale, maxScale), toStagePoint(xy), limits));
    else if (isTouch) gestures.onTouch();
  };

  const endSwipe = (dx: number, dy: number, swiped: number): void => {
    settleSwipe(stageRef.current, true);
    const direction = swiped === 0 && Math.abs(dx) > stage.width * swipeShare ? Math.sign(dx) : swiped;
    const show = direction > 0 ? gestures.onPrevious : direction < 0 ? gestures.onNext : undefined;
    if (show !== undefined) show();
    else {
      followSwipe(stageRef.current, 0, 0);
      if (direction === 0 && dy > dismissPx && Math.abs(dy) > Math.abs(dx)) gestures.onDismiss();
    }
  };

  // The slides have new positions now. Without an offset, they animate to them.
  useLayoutEffect(() => {
    if (shownId.current === itemId) return;
    shownId.current = itemId;
    followSwipe(stageRef.current, 0, 0);
  }, [stageRef, itemId]);

  useGesture(
    {
      onDrag: ({
        tap: isTap,
        first,
        last,
        movement: [dx, dy],
        swipe,
        pinching,
        cancel,
        canceled,
        elapsedTime,
        event,
        xy,
        timeStamp,
        memo: startView,
      }) => {
        // After `cancel`, the handler runs once more with `last` set.
        if (canceled) return followSwipe(stageRef.current, 0, 0);
        if (pinching === true || (first && isOnVideoControls(event))) return cancel();
        const isTouch = 'pointerType' in event && event.pointerType === 'touch';
        if (isTap) return elapsedTime < maxTapMs ? tap(xy, timeStamp, isTouch) : undefined;
        if (!canZoom && !isTouch) return undefined;
        const start: View = first ? view : ((startView as View | undefined) ?? view);
        if (isZoomed) onView(clampView({ scale: view.scale, x: start.x + dx, y: start.y + dy }, fit, stage));
        else if (last) endSwipe(dx, dy, swipe[0]);
        else {
          settleSwipe(stageRef.current, false);
          followSwipe(
            stageRef.current,
            Math.abs(dx) >= Math.abs(dy) ? dx : 0,
            Math.abs(dx) < Math.abs(dy) ? Math.max(0, dy) : 0,
          );
        }
        return start;
      },
      onPinch: ({ first, last, origin, offset: [scale], memo: startView }) => {
        if (!canZoom) return undefined;
        const point = toStagePoint(origin);
        const start = first || startView === undefined ? { view, point } : (startView as { view: View; point: Point });
        const zoomed = zoomAround(start.view, scale, start.point, limits);
        const moved = { ...zoomed, x: zoomed.x + point.x - start.point.x, y: zoomed.y + point.y - start.point.y };
        onView(last && scale < 1.05 ? fittedView : clampView(moved, fit, stage));
        return start;
      },
      onWheel: ({ event, delta: [dx, dy] }) => {
        // Ctrl+wheel is a touchpad pinch, which `onPinch` also receives.
        if (!canZoom || event.ctrlKey || Math.abs(dx) > Math.abs(dy)) return;
        event.preventDefault();
        const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? dy * pxPerLine : dy;
        const scale = view.scale * Math.exp(-pixels * zoomPerWheelPx);
        onView(zoomAround(view, scale, toStagePoint([event.clientX, event.clientY]), limits));
      },
    },
    {
      target: stageRef,
      eventOptions: { passive: false },
      drag: { filterTaps: true, pointer: { capture: false } },
      pinch: { scaleBounds: { min: 1, max: maxScale }, from: () => [view.scale, 0] },
    },
  );
};

function followSwipe(stage: HTMLElement | null, dx: number, dy: number): void {
  stage?.style.setProperty('--drag-x', `${dx}px`);
  stage?.style.setProperty('--drag-y', `${dy}px`);
}

function settleSwipe(stage: HTMLElement | null, isSettling: boolean): void {
  stage?.toggleAttribute('data-settling', isSettling);
}

function isOnVideoControls(event: Event): boolean {
  if (!(event.target instanceof HTMLVideoElement) || !(event instanceof PointerEvent)) return false;
  return event.target.getBoundingClientRect().bottom - event.clientY < videoControlsPx;
}
