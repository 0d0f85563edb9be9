import { useLayoutEffect, useState } from 'react';

/** How wide an element's content is, and how far from the page's top it begins, in CSS pixels; both 0 before it is on the page. */
export interface Box {
  readonly width: number;
  readonly pageTop: number;
}

/** Measures an element, which may come later than the component, and again when its width changes; for the first time before anything of it is painted. */
export const useBox = (element: HTMLElement | null): Box => {
  const [box, setBox] = useState<Box>({ width: 0, pageTop: 0 });
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const width = Math.floor(element.clientWidth);
      const pageTop = Math.round(element.getBoundingClientRect().top + window.scrollY);
      setBox((before) => (before.width === width && before.pageTop === pageTop ? before : { width, pageTop }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return box;
};
