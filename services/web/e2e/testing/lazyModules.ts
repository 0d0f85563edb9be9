/** Name prefixes of scripts that the first visit must not load: map, viewer and upload engine. */
export const lazyModules = ['maplibre', 'createMap', 'Viewer', 'startUploadEngine', 'UploadView'] as const;
