import type { Map as MapLibreMap, Marker as MapLibreMarker } from 'maplibre-gl';
import { useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './map.module.css';

/** Renders its children on a map, centred on a position. A hovered or focused marker is in front of the others. */
export const Marker = (props: {
  readonly map: MapLibreMap;
  /** Degrees east and north, WGS 84. */
  readonly longitude: number;
  readonly latitude: number;
  readonly children: ReactNode;
}) => {
  const { map, longitude, latitude } = props;
  const [element] = useState(() => {
    const container = document.createElement('div');
    container.className = styles['marker'] ?? '';
    return container;
  });
  useEffect(() => {
    let isGone = false;
    let marker: MapLibreMarker | undefined;
    const place = async (): Promise<void> => {
      // The map was created by this module, so the import resolves at once.
      const { Marker: MapMarker } = await import('maplibre-gl');
      if (isGone) return;
      marker = new MapMarker({ element }).setLngLat([longitude, latitude]).addTo(map);
    };
    void place();
    return () => {
      isGone = true;
      marker?.remove();
    };
  }, [map, element, longitude, latitude]);
  return createPortal(props.children, element);
};
