import type { StyleSpecification } from 'maplibre-gl';
import type { Outlines } from './loadOutlines.ts';
import type { MapColours } from './mapColours.ts';

/** The outlines alone, in the app's colours; without names, so that no fonts are asked for. */
export const outlineStyle = ({ land, borders }: Outlines, colours: MapColours): StyleSpecification => ({
  version: 8,
  sources: {
    land: { type: 'geojson', data: land },
    borders: { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: borders } },
  },
  layers: [
    { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
    {
      id: 'borders',
      type: 'line',
      source: 'borders',
      paint: { 'line-color': colours.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.6, 6, 1.5] },
    },
  ],
});

/**
 * Tiles of a server that the operator has named by a template such as `https://tiles.example/{z}/{x}/{y}.png`. The outlines lie below them: they are
 * what is seen until a tile has come, and where none comes.
 */
export const tileStyle = (outlines: Outlines, template: string, colours: MapColours): StyleSpecification => {
  const { sources, layers, ...below } = outlineStyle(outlines, colours);
  return {
    ...below,
    sources: { ...sources, tiles: { type: 'raster', tiles: [template], tileSize: 256, maxzoom: 19 } },
    layers: [...layers, { id: 'tiles', type: 'raster', source: 'tiles' }],
  };
};

/** Whether an address is a template of tiles; else it is that of a whole MapLibre style. */
export const isTileTemplate = (address: string): boolean => address.includes('{z}');

/** How near a map comes: outlines have no more to show beyond the first. */
export const maxZoom = { outlines: 9, tiles: 18 } as const;
