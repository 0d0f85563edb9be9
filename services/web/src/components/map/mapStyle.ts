import type { StyleSpecification } from 'maplibre-gl';
import type { Outlines } from './loadOutlines.ts';
import type { MapColours } from './mapColours.ts';

/** Style of the outlines in the app's colours. Has no labels, so that no fonts are needed. */
export const makeOutlineStyle = ({ land, borders }: Outlines, colours: MapColours): StyleSpecification => ({
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
 * Style with raster tiles from a template such as `https://tiles.example/{z}/{x}/{y}.png`. The outlines lie below,
 * visible until a tile loads or if it fails.
 */
export const makeTileStyle = (outlines: Outlines, template: string, colours: MapColours): StyleSpecification => {
  const { sources, layers, ...below } = makeOutlineStyle(outlines, colours);
  return {
    ...below,
    sources: { ...sources, tiles: { type: 'raster', tiles: [template], tileSize: 256, maxzoom: 19 } },
    layers: [...layers, { id: 'tiles', type: 'raster', source: 'tiles' }],
  };
};

/** Returns whether a URL is a tile template. Otherwise it points to a complete MapLibre style. */
export const isTileTemplate = (address: string): boolean => address.includes('{z}');

/** Maximum zoom. The outlines have no more detail. */
export const maxZoom = { outlines: 9, tiles: 18 } as const;
