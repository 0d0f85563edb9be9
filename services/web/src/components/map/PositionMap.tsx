import { MapPin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MapAttribution } from './MapAttribution.tsx';
import { Marker } from './Marker.tsx';
import styles from './map.module.css';
import { useMap } from './useMap.ts';

/** Zoom of the small map: a country and its neighbours, which is the detail of the outlines. */
const zoom = 3.5;

/** Small, non-interactive map of an item's position (degrees, WGS 84). Renders nothing if the map fails. */
export const PositionMap = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) => (
  <MapFrame key={`${latitude},${longitude}`} latitude={latitude} longitude={longitude} />
);

const MapFrame = ({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) => {
  const { t } = useTranslation('explore');
  const { container, map, hasFailed } = useMap(() => ({ center: [longitude, latitude], zoom, interactive: false }));
  if (hasFailed) return null;
  return (
    <>
      <div className={styles['frame']} role="img" aria-label={t('mapOfPosition')}>
        <div ref={container} className={styles['map']} />
        {map !== undefined && (
          <Marker map={map} longitude={longitude} latitude={latitude}>
            <span className={styles['pin']}>
              <MapPin aria-hidden size={20} strokeWidth={2} />
            </span>
          </Marker>
        )}
      </div>
      {map !== undefined && <MapAttribution map={map} />}
    </>
  );
};
