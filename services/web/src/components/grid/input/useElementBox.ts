import { useLayoutEffect, useState } from 'react';

/**
 * Content width of an element and its distance from the top of the page, in CSS pixels. Both 0 before it is mounted.
 */
export interface ElementBox {
  readonly width: number;
  readonly pageTop: number;
}

/** Measures an element before the first paint and after each change of its width. */
export const useElementBox = (element: HTMLElement | null): ElementBox => {
  const [elementBox, setElementBox] = useState<ElementBox>({ width: 0, pageTop: 0 });
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      const width = Math.floor(element.clientWidth);
      const pageTop = Math.round(element.getBoundingClientRect().top + window.scrollY);
      setElementBox((before) => (before.width === width && before.pageTop === pageTop ? before : { width, pageTop }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return elementBox;
};
