export interface MapColours {
  readonly water: string;
  readonly land: string;
  readonly border: string;
}

/** Reads the map colours of the current theme. A temporary element makes the browser resolve `light-dark()`. */
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

/** Calls `onChange` when the theme of the system or the app changes. Returns a function that unsubscribes. */
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
