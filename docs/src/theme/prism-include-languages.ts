import includeLanguages from '@theme-original/prism-include-languages';

interface Prism {
  manual?: boolean;
}

/**
 * Redoc brings a Prism of its own, which colours every code block of whatever page is shown as soon as it is loaded, unless it is told to wait; React
 * then finds another page than it expects, and draws it anew.
 */
export default function includeLanguagesOnly(prism: Parameters<typeof includeLanguages>[0]): void {
  const shared = globalThis as { Prism?: Prism };
  for (const each of [shared.Prism, prism as Prism]) if (each !== undefined) each.manual = true;
  includeLanguages(prism);
  shared.Prism ??= { manual: true };
}
