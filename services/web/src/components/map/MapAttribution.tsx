import type { Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { useEffect, useState } from 'react';
import styles from './MapAttribution.module.css';
import { readAttribution } from './readAttribution.ts';

/** Whose map it is, as the sources of an operator's style say; nothing where they say nothing, as the outlines do, which belong to nobody. */
export const MapAttribution = ({ map }: { readonly map: MapLibreMap }) => {
  const [attributions, setAttributions] = useState<readonly string[]>([]);
  useEffect(() => {
    const handleSource = ({ sourceId }: MapSourceDataEvent): void => {
      const attribution = map.getSource(sourceId)?.attribution?.trim() ?? '';
      if (attribution !== '')
        setAttributions((before) => (before.includes(attribution) ? before : [...before, attribution]));
    };
    map.on('sourcedata', handleSource);
    return () => void map.off('sourcedata', handleSource);
  }, [map]);
  if (attributions.length === 0) return null;
  return (
    <p className={styles['attribution']}>
      {readAttribution(attributions.join(' | ')).map(({ text, href }) =>
        href === undefined ? (
          text
        ) : (
          <a key={text} href={href} target="_blank" rel="noreferrer">
            {text}
          </a>
        ),
      )}
    </p>
  );
};
