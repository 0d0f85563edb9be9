import { resetDistance, isScrollingFast, whenSlow } from '../../../components/grid/layout/scrollSpeed.ts';
import { fromScrolled, scrollScale, toScrolled, type ScrollScale } from './scrollScale.ts';
import { makeGrowingRange, fastStep, isSameWindow, windowStep, type TimelineWindow } from './timelineWindow.ts';
import { getAnchorAt, listSections, getAnchorTop, type Anchor, type TimelineGeometry } from './timelineGeometry.ts';

/**
 * Scroll position of a timeline that may be higher than a browser can scroll, and whose section heights become known
 * gradually.
 *
 * Keeps the visible rows in place when heights above them change. During scrolling, it shifts the content relative to
 * the scroll position, which interrupts neither a fling nor a drag. It corrects the scroll position once scrolling has
 * ended.
 */
export interface TimelineScroll {
  readonly get: () => TimelineWindow;
  /** Timeline position at the top of the screen, below the app bar. */
  readonly top: () => number;
  /** Anchor of the current position, to restore it later. */
  readonly anchor: () => Anchor | undefined;
  /** Notifies of changes of `get`. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Notifies of changes of `top`. */
  readonly subscribeToTop: (listener: () => void) => () => void;
  /** Applies new heights. Call it after rendering them and before they are painted. */
  readonly setGeometry: (geometry: TimelineGeometry, pageTop: number) => void;
  readonly scrollTo: (top: number) => void;
  /** Scrolls to an anchor and stays there through height changes, until the user scrolls. */
  readonly holdAt: (anchor: Anchor) => void;
  /** Subscribes to scroll events of the page. Returns a function that unsubscribes. */
  readonly listen: () => () => void;
}

/** Rendered margin above and below the screen, as a fraction of its height. */
const overscanScreens = 0.75;

/**
 * After a jump, only the screen is rendered. Its surroundings follow this long after it has loaded, in ms, or when the
 * user scrolls.
 */
const overscanDelayMs = 1000;

/** Scrolling further than this in one step counts as a jump, in screens. */
const minJumpScreens = 4;

/**
 * Time after the end of scrolling before the scroll position is corrected, in ms. The correction repaints the screen,
 * and flings through years have short pauses. Without `scrollend`, the last scroll event counts as the end.
 */
const restDelayMs = 500;

/** Starts at the top of an empty timeline. */
export const makeTimelineScroll = (): TimelineScroll => {
  const windowListeners = new Set<() => void>();
  const topListeners = new Set<() => void>();
  let geometry: TimelineGeometry = { sections: [], months: [], height: 0 };
  let pageTop = 0;
  let top = 0;
  let shift = 0;
  let lastScroll = 0;
  let isScrolling = false;
  let heldAnchor: Anchor | undefined;
  /** True at the start and after a jump, until the timer fires or the user scrolls: renders only the screen. */
  let isScreenOnly = true;
  let overscanTimer: ReturnType<typeof setTimeout> | undefined;
  let current: TimelineWindow = { from: 0, to: 0, fullFrom: 0, fullTo: 0, wanted: [], shift: 0 };
  const fullPart = makeGrowingRange();
  let nextFrame = 0;

  const scale = (): ScrollScale => scrollScale(geometry.height, window.innerHeight - pageTop);
  const maxTop = (): number => Math.max(0, geometry.height - scale().viewport);

  /** Lists the sections that overlap a range. Returns the previous list object if the sections are the same. */
  const listSectionNames = (from: number, to: number): readonly string[] => {
    const names = listSections(geometry, from, to).map(({ section }) => section);
    return names.join(' ') === current.wanted.join(' ') ? current.wanted : names;
  };

  const settle = (): void => {
    const wanted = Math.round(toScrolled(scale(), top));
    if (Math.abs(wanted - window.scrollY) >= 1) {
      window.scrollTo({ top: wanted, behavior: 'instant' });
      resetDistance();
    }
    lastScroll = window.scrollY;
    shift = top - lastScroll;
  };

  const setScreenOnly = (isOnlyScreen: boolean): void => {
    isScreenOnly = isOnlyScreen;
    // After a jump, its target is rendered at once.
    if (isOnlyScreen) fullPart.growToEnd();
    clearTimeout(overscanTimer);
    overscanTimer = undefined;
  };

  const isScreenLoaded = (): boolean => {
    const sections = listSections(geometry, top, top + scale().viewport);
    return sections.length > 0 && sections.every(({ layout }) => layout !== undefined);
  };

  const scheduleOverscan = (): void => {
    if (!isScreenOnly || overscanTimer !== undefined || !isScreenLoaded()) return;
    overscanTimer = setTimeout(() => {
      setScreenOnly(false);
      notify();
    }, overscanDelayMs);
  };

  const notify = (): void => {
    const { viewport } = scale();
    scheduleOverscan();
    const isFast = isScrollingFast();
    if (isFast) whenSlow(notify);
    const overscan = isScreenOnly ? 0 : viewport * overscanScreens;
    const step = isFast ? fastStep : windowStep;
    const from = Math.floor((top - overscan) / step) * step;
    const to = Math.ceil((top + viewport + overscan) / step) * step;
    const loaded = isScreenOnly ? 0 : viewport;
    const wanted = isFast ? current.wanted : listSectionNames(from - loaded, to + loaded);
    const { fullFrom, fullTo, isWhole } = fullPart.move({ from, to }, { from: top, to: top + viewport }, isFast);
    if (!isWhole && !isFast) {
      cancelAnimationFrame(nextFrame);
      nextFrame = requestAnimationFrame(notify);
    }
    const next = { from, to, fullFrom, fullTo, wanted, shift };
    if (!isSameWindow(current, next)) {
      current = next;
      for (const listener of windowListeners) listener();
    }
    for (const listener of topListeners) listener();
  };

  /** Adopts the current scroll position. Returns whether it has changed. */
  const readScrollPosition = (): boolean => {
    const now = window.scrollY;
    if (Math.abs(now - lastScroll) < 1) return false;
    isScrolling = true;
    heldAnchor = undefined;
    const isJump = Math.abs(now - lastScroll) > window.innerHeight * minJumpScreens;
    setScreenOnly(isJump);
    lastScroll = now;
    // In a scaled-down timeline, a jump covers a longer distance than normal scrolling.
    if (isJump && scale().height > scale().scrolled) shift = fromScrolled(scale(), now) - now;
    top = now + shift;
    // At the top or bottom of the page, the timeline must be at its own top or bottom.
    const last = Math.max(0, scale().scrolled - scale().viewport);
    if (top < 0 || (now <= 0 && top > 0) || (now < last && top > maxTop()) || (now >= last && top < maxTop() - 1)) {
      top = Math.min(Math.max(top, 0), maxTop());
      settle();
    }
    return true;
  };

  const handleScroll = (): void => {
    if (readScrollPosition()) notify();
  };

  const handleRest = (): void => {
    if (!isScrolling) return;
    isScrolling = false;
    settle();
    notify();
  };

  const scrollTo = (place: number): void => {
    if (Math.abs(place - top) > window.innerHeight * minJumpScreens) setScreenOnly(true);
    top = Math.min(Math.max(place, 0), maxTop());
    settle();
    top = lastScroll + shift;
    notify();
  };

  return {
    get: () => current,
    top: () => top,
    anchor: () => heldAnchor ?? getAnchorAt(geometry, top),
    subscribe: (listener) => addListener(windowListeners, listener),
    subscribeToTop: (listener) => addListener(topListeners, listener),
    setGeometry: (next, nextPageTop) => {
      const isSame = pageTop === nextPageTop && hasSameHeights(geometry, next);
      if (isSame && heldAnchor === undefined) {
        geometry = next;
        scheduleOverscan();
        return;
      }
      // The page may have scrolled since the last event. The rows visible now must stay in place.
      if (isScrolling) readScrollPosition();
      const anchor = heldAnchor ?? (top > 0 ? getAnchorAt(geometry, top) : undefined);
      geometry = next;
      pageTop = nextPageTop;
      const place = anchor === undefined ? 0 : getAnchorTop(geometry, anchor);
      top = Math.min(Math.max(place, 0), maxTop());
      if (isScrolling) {
        lastScroll = window.scrollY;
        shift = top - lastScroll;
      } else {
        settle();
      }
      notify();
    },
    scrollTo: (place) => {
      heldAnchor = undefined;
      scrollTo(place);
    },
    holdAt: (anchor) => {
      heldAnchor = anchor;
      scrollTo(getAnchorTop(geometry, anchor));
    },
    listen: () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const hasScrollEnd = 'onscrollend' in window;
      const scheduleRest = (): void => {
        clearTimeout(timer);
        timer = setTimeout(handleRest, restDelayMs);
      };
      const onScroll = (): void => {
        handleScroll();
        if (hasScrollEnd) clearTimeout(timer);
        else scheduleRest();
      };
      window.addEventListener('scroll', onScroll, { passive: true });
      window.addEventListener('scrollend', scheduleRest);
      return () => {
        clearTimeout(timer);
        clearTimeout(overscanTimer);
        overscanTimer = undefined;
        cancelAnimationFrame(nextFrame);
        window.removeEventListener('scroll', onScroll);
        window.removeEventListener('scrollend', scheduleRest);
      };
    },
  };
};

function hasSameHeights(one: TimelineGeometry, other: TimelineGeometry): boolean {
  return (
    one.sections.length === other.sections.length &&
    one.sections.every((place, number) => {
      const next = other.sections[number];
      return (
        place === next || (place.section === next?.section && place.top === next.top && place.height === next.height)
      );
    })
  );
}

function addListener(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
