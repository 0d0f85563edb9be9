/** Name prefixes of scripts that the first visit must not load: map, viewer and upload engine. */
export const loadedWhenNeeded = ['maplibre', 'createMap', 'Viewer', 'startUploadEngine', 'UploadView'] as const;
