/** Moves the focus to what the page is about, as the skip link does. */
export const focusContent = (): void => document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
