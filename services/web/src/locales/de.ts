/** Everything the app says in German, by the paths of the files. */
export const files = import.meta.glob<Record<string, unknown>>('./de/*.json', { eager: true, import: 'default' });
