import type { StyleSpecification } from 'maplibre-gl';
import { loadOutlines } from './loadOutlines.ts';
import type { MapColours } from './mapColours.ts';
import { isTileTemplate, maxZoom, makeOutlineStyle, makeTileStyle } from './mapStyle.ts';

export interface MapStyle {
  readonly style: StyleSpecification;
  readonly maxZoom: number;
  /** True if the style has the outline layers in the app's colours. False for a complete style of an operator. */
  readonly hasOutlines: boolean;
}

/** Timeout for an operator's style, in ms. The map is empty meanwhile. */
const timeoutMs = 5_000;

/**
 * Loads the style of the map: the outlines, the operator's tiles over the outlines, or the operator's complete style.
 * Falls back to the outlines if that style fails to load.
 *
 * @throws Error if the outlines fail to load
 */
export const loadMapStyle = async (tilesUrl: string | null, colours: MapColours): Promise<MapStyle> => {
  if (tilesUrl !== null && !isTileTemplate(tilesUrl)) {
    const style = await fetchStyle(tilesUrl);
    if (style !== undefined) return { style, maxZoom: maxZoom.tiles, hasOutlines: false };
  }
  const outlines = await loadOutlines();
  return tilesUrl !== null && isTileTemplate(tilesUrl)
    ? { style: makeTileStyle(outlines, tilesUrl, colours), maxZoom: maxZoom.tiles, hasOutlines: true }
    : { style: makeOutlineStyle(outlines, colours), maxZoom: maxZoom.outlines, hasOutlines: true };
};

/** Fetches a style, or returns undefined after an error or timeout. */
const fetchStyle = async (address: string): Promise<StyleSpecification | undefined> => {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    return response.ok ? ((await response.json()) as StyleSpecification) : undefined;
  } catch {
    return undefined;
  }
};
