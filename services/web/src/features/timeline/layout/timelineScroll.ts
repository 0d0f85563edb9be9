import { forgetDistance, isScrollingFast, onceCalm } from '../../../components/grid/layout/scrollSpeed.ts';
import { fromScrolled, scrollScale, toScrolled, type ScrollScale } from './scrollScale.ts';
import { makeFullPart, fastStep, isSameWindow, windowStep, type TimelineWindow } from './timelineWindow.ts';
import { anchorAt, sectionsBetween, placeOfAnchor, type Anchor, type TimelineGeometry } from './timelineGeometry.ts';

/**
 * Scrolls a timeline that may be higher than a browser can scroll and whose heights become known bit by bit.
 *
 * What is on the screen stays where it is when heights above change: while one scrolls the drawing is shifted against the scroll bar, which ends
 * neither a fling nor a drag; the scroll bar is put right as soon as it rests.
 */
export interface TimelineScroll {
  readonly get: () => TimelineWindow;
  /** The place of the timeline at the upper edge of the screen, below the app's bar. */
  readonly top: () => number;
  /** Where that is, so that it is found again. */
  readonly anchor: () => Anchor | undefined;
  /** `get` has changed. */
  readonly subscribe: (listener: () => void) => () => void;
  /** `top` has changed. */
  readonly subscribeToTop: (listener: () => void) => () => void;
  /** Takes new heights; to be called after they were drawn and before they are painted. */
  readonly setGeometry: (geometry: TimelineGeometry, pageTop: number) => void;
  readonly scrollTo: (top: number) => void;
  /** Scrolls to an anchor and stays with it until somebody scrolls, whatever becomes known meanwhile. */
  readonly stayAt: (anchor: Anchor) => void;
  /** Begins to listen to the page; answers what ends that. */
  readonly listen: () => () => void;
}

/** How much above and below the screen is rendered, as a part of its height, so that scrolling finds it there. */
const aroundScreens = 0.75;

/** After a jump the screen comes first: what is around it waits until somebody scrolls, or until this long after the screen is known, in milliseconds. */
const aroundAfterMs = 1000;

/** What leads further than this many screens at once is a jump. */
const jumpScreens = 4;

/**
 * The scroll bar is put right when scrolling has ended this long ago, in milliseconds: that paints the whole screen anew, and whoever flings through years lets the page rest for
 * moments only. Where `scrollend` is not known, scrolling has ended when nothing was heard of it.
 */
const restMs = 500;

/** Begins at the top of a timeline of which nothing is known. */
export const makeTimelineScroll = (): TimelineScroll => {
  const windowListeners = new Set<() => void>();
  const topListeners = new Set<() => void>();
  let geometry: TimelineGeometry = { sections: [], months: [], height: 0 };
  let pageTop = 0;
  let top = 0;
  let shift = 0;
  let lastScroll = 0;
  let isScrolling = false;
  let held: Anchor | undefined;
  /** Whether only the screen is rendered and loaded, and what ends that. */
  let isScreenOnly = true;
  let aroundTimer: ReturnType<typeof setTimeout> | undefined;
  let current: TimelineWindow = { from: 0, to: 0, fullFrom: 0, fullTo: 0, wanted: [], shift: 0 };
  const fullPart = makeFullPart();
  let nextFrame = 0;

  const scale = (): ScrollScale => scrollScale(geometry.height, window.innerHeight - pageTop);
  const lastTop = (): number => Math.max(0, geometry.height - scale().viewport);

  /** The same list as long as the same sections are meant. */
  const namesBetween = (from: number, to: number): readonly string[] => {
    const names = sectionsBetween(geometry, from, to).map(({ section }) => section);
    return names.join(' ') === current.wanted.join(' ') ? current.wanted : names;
  };

  /** Puts the scroll bar where it belongs for what is on the screen. */
  const settle = (): void => {
    const wanted = Math.round(toScrolled(scale(), top));
    if (Math.abs(wanted - window.scrollY) >= 1) {
      window.scrollTo({ top: wanted, behavior: 'instant' });
      forgetDistance();
    }
    lastScroll = window.scrollY;
    shift = top - lastScroll;
  };

  const setScreenOnly = (isOnly: boolean): void => {
    isScreenOnly = isOnly;
    // A jump is over: what it leads to is wanted at once.
    if (isOnly) fullPart.becomeWhole();
    clearTimeout(aroundTimer);
    aroundTimer = undefined;
  };

  const isScreenKnown = (): boolean => {
    const sections = sectionsBetween(geometry, top, top + scale().viewport);
    return sections.length > 0 && sections.every(({ layout }) => layout !== undefined);
  };

  const widenLater = (): void => {
    if (!isScreenOnly || aroundTimer !== undefined || !isScreenKnown()) return;
    aroundTimer = setTimeout(() => {
      setScreenOnly(false);
      tell();
    }, aroundAfterMs);
  };

  const tell = (): void => {
    const { viewport } = scale();
    widenLater();
    const isFast = isScrollingFast();
    if (isFast) onceCalm(tell);
    const around = isScreenOnly ? 0 : viewport * aroundScreens;
    const step = isFast ? fastStep : windowStep;
    const from = Math.floor((top - around) / step) * step;
    const to = Math.ceil((top + viewport + around) / step) * step;
    const loaded = isScreenOnly ? 0 : viewport;
    const wanted = isFast ? current.wanted : namesBetween(from - loaded, to + loaded);
    const { fullFrom, fullTo, isWhole } = fullPart.move({ from, to }, { from: top, to: top + viewport }, isFast);
    if (!isWhole && !isFast) {
      cancelAnimationFrame(nextFrame);
      nextFrame = requestAnimationFrame(tell);
    }
    const next = { from, to, fullFrom, fullTo, wanted, shift };
    if (!isSameWindow(current, next)) {
      current = next;
      for (const listener of windowListeners) listener();
    }
    for (const listener of topListeners) listener();
  };

  /** Takes over where the scroll bar is now; answers whether it has moved. */
  const follow = (): boolean => {
    const now = window.scrollY;
    if (Math.abs(now - lastScroll) < 1) return false;
    isScrolling = true;
    held = undefined;
    const isJump = Math.abs(now - lastScroll) > window.innerHeight * jumpScreens;
    setScreenOnly(isJump);
    lastScroll = now;
    // Where the page is as high as the timeline, a jump leads as far as any other scrolling.
    if (isJump && scale().height > scale().scrolled) shift = fromScrolled(scale(), now) - now;
    top = now + shift;
    // At either end of the page the end of the timeline must be there too.
    const last = Math.max(0, scale().scrolled - scale().viewport);
    if (top < 0 || (now <= 0 && top > 0) || (now < last && top > lastTop()) || (now >= last && top < lastTop() - 1)) {
      top = Math.min(Math.max(top, 0), lastTop());
      settle();
    }
    return true;
  };

  const handleScroll = (): void => {
    if (follow()) tell();
  };

  const handleRest = (): void => {
    if (!isScrolling) return;
    isScrolling = false;
    settle();
    tell();
  };

  const scrollTo = (place: number): void => {
    if (Math.abs(place - top) > window.innerHeight * jumpScreens) setScreenOnly(true);
    top = Math.min(Math.max(place, 0), lastTop());
    settle();
    top = lastScroll + shift;
    tell();
  };

  return {
    get: () => current,
    top: () => top,
    anchor: () => held ?? anchorAt(geometry, top),
    subscribe: (listener) => listenIn(windowListeners, listener),
    subscribeToTop: (listener) => listenIn(topListeners, listener),
    setGeometry: (next, nextPageTop) => {
      const isSame = pageTop === nextPageTop && hasSameHeights(geometry, next);
      if (isSame && held === undefined) {
        geometry = next;
        widenLater();
        return;
      }
      // The page may have scrolled further than was heard of: what is on the screen now is what must stay.
      if (isScrolling) follow();
      const anchor = held ?? (top > 0 ? anchorAt(geometry, top) : undefined);
      geometry = next;
      pageTop = nextPageTop;
      const place = anchor === undefined ? 0 : placeOfAnchor(geometry, anchor);
      top = Math.min(Math.max(place, 0), lastTop());
      if (isScrolling) {
        lastScroll = window.scrollY;
        shift = top - lastScroll;
      } else {
        settle();
      }
      tell();
    },
    scrollTo: (place) => {
      held = undefined;
      scrollTo(place);
    },
    stayAt: (anchor) => {
      held = anchor;
      scrollTo(placeOfAnchor(geometry, anchor));
    },
    listen: () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const hasScrollEnd = 'onscrollend' in window;
      const restLater = (): void => {
        clearTimeout(timer);
        timer = setTimeout(handleRest, restMs);
      };
      const onScroll = (): void => {
        handleScroll();
        if (hasScrollEnd) clearTimeout(timer);
        else restLater();
      };
      window.addEventListener('scroll', onScroll, { passive: true });
      window.addEventListener('scrollend', restLater);
      return () => {
        clearTimeout(timer);
        clearTimeout(aroundTimer);
        aroundTimer = undefined;
        cancelAnimationFrame(nextFrame);
        window.removeEventListener('scroll', onScroll);
        window.removeEventListener('scrollend', restLater);
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

function listenIn(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
