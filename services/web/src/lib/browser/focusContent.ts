/** Focuses the main content, as the skip link does. */
export const focusContent = (): void => document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
