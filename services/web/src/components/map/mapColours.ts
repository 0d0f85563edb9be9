/** What a map is painted with, as MapLibre reads colours. */
export interface MapColours {
  readonly water: string;
  readonly land: string;
  readonly border: string;
}

/** The colours of maps in the theme that is shown now. `light-dark()` is resolved by the browser, on an element that is there for a moment. */
export const readMapColours = (container: HTMLElement): MapColours => {
  const probe = document.createElement('span');
  container.append(probe);
  const read = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = { water: read('--map-water'), land: read('--map-land'), border: read('--map-border') };
  probe.remove();
  return colours;
};

/** Calls `onChange` when another theme is shown, by the system's choice or the app's; answers what ends that. */
export const watchTheme = (onChange: () => void): (() => void) => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', onChange);
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', onChange);
    observer.disconnect();
  };
};
