/** The pages of the specification under /docs, by their folder. */
const specified = {
  'dev-guide': [
    'contribution',
    'design-document',
    'environment',
    'folder-structure',
    'introduction',
    'notes',
    'roadmap',
  ],
  'user-guide': ['deployment', 'installation', 'introduction'],
  'user-guide/features': ['albums', 'explore', 'library', 'metadata', 'people', 'places', 'search', 'things', 'users'],
} as const;

/** The addresses of the specification under /docs. */
export const docsRoutes: readonly string[] = Object.entries(specified).flatMap(([folder, names]) =>
  names.map((name) => `/docs/${folder}/${name}`),
);

/** The other addresses of the specification that are pages, each with its heading. */
export const otherRoutes: Readonly<Record<string, string>> = {
  '/': 'A smarter home for all your photos and videos',
  '/api/': 'Hearth',
  '/markdown-page': 'How these pages are written',
};
