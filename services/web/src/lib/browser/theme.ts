export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'hearth-theme';

/** The theme that was chosen on this device; `system` unless one was. */
export const chosenTheme = (): Theme => {
  const chosen = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === chosen) ?? 'system';
};

/** Shows the app in this theme and keeps the choice on this device. */
export const applyTheme = (theme: Theme): void => {
  localStorage.setItem(storageKey, theme);
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};
