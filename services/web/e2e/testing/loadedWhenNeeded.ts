/** What the names of built scripts begin with that no first load brings: the map, the viewer, and what uploads, by tus. */
export const loadedWhenNeeded = ['maplibre', 'createMap', 'Viewer', 'startUploadEngine', 'UploadView'] as const;
