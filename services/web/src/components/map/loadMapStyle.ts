import type { StyleSpecification } from 'maplibre-gl';
import { loadOutlines } from './loadOutlines.ts';
import type { MapColours } from './mapColours.ts';
import { isTileTemplate, maxZoom, outlineStyle, tileStyle } from './mapStyle.ts';

/** What a map shows, and how near it may come. */
export interface MapStyle {
  readonly style: StyleSpecification;
  readonly maxZoom: number;
  /** Whether it has the layers of the outlines, in the app's colours; a whole style of an operator's has its own. */
  readonly hasOutlines: boolean;
}

/** How long a tile server may take to answer with its style, in milliseconds: the map is empty meanwhile. */
const patienceMs = 5_000;

/**
 * The outlines of the app, or what the operator has named: tiles over the outlines, or a whole style; the outlines alone where that style cannot be
 * had.
 *
 * @throws Error when the outlines cannot be had.
 */
export const loadMapStyle = async (tilesUrl: string | null, colours: MapColours): Promise<MapStyle> => {
  if (tilesUrl !== null && !isTileTemplate(tilesUrl)) {
    const style = await fetchStyle(tilesUrl);
    if (style !== undefined) return { style, maxZoom: maxZoom.tiles, hasOutlines: false };
  }
  const outlines = await loadOutlines();
  return tilesUrl !== null && isTileTemplate(tilesUrl)
    ? { style: tileStyle(outlines, tilesUrl, colours), maxZoom: maxZoom.tiles, hasOutlines: true }
    : { style: outlineStyle(outlines, colours), maxZoom: maxZoom.outlines, hasOutlines: true };
};

/** The style at an address of the tile server; undefined where that does not answer with one in time. */
const fetchStyle = async (address: string): Promise<StyleSpecification | undefined> => {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(patienceMs) });
    return answer.ok ? ((await answer.json()) as StyleSpecification) : undefined;
  } catch {
    return undefined;
  }
};
