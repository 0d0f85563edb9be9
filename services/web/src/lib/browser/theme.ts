export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'hearth-theme';

/** Returns the theme chosen on this device. Default: `system`. */
export const chosenTheme = (): Theme => {
  const chosen = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === chosen) ?? 'system';
};

/** Applies the theme and stores it on this device. */
export const applyTheme = (theme: Theme): void => {
  localStorage.setItem(storageKey, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};
