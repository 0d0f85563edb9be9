/** Everything the app says in English, by the paths of the files. */
export const files = import.meta.glob<Record<string, unknown>>('./en/*.json', { eager: true, import: 'default' });
