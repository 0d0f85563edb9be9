/** The key of the marker, see [Note: Library marker]. It is outside of the bucket layout, so sweeps and searches for orphans skip it. */
export const markerKey = 'hearth-library.json';

export const formatMarker = (library: string): string => `${JSON.stringify({ library })}\n`;

/** Returns the id of the library in a marker. */
export const parseMarker = (content: string): string =>
  /"library": ?"([0-9a-f-]{36})"/.exec(content)?.[1] ?? 'an unreadable marker';
