/**
 * The key of the marker, see [Note: Library marker]. It is outside of the bucket layout, so sweeps and the search for
 * orphans skip it.
 */
export const markerKey = 'hearth-library.json';

export const formatMarker = (library: string): string => `${JSON.stringify({ library })}\n`;

/** Returns the id of the library. For other content, returns a text for messages, which equals no id. */
export const parseMarker = (content: string): string =>
  /"library": ?"([0-9a-f-]{36})"/.exec(content)?.[1] ?? 'an unreadable marker';
