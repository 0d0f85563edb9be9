import type { MapCluster } from '@hearth/contract/placesMap.ts';
import { Image, Minus, Plus } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { MapAttribution } from '../../../components/map/MapAttribution.tsx';
import { Marker } from '../../../components/map/Marker.tsx';
import { useMap } from '../../../components/map/useMap.ts';
import { IconButton } from '../../../components/controls/IconButton.tsx';
import { toasts } from '../../../components/overlays/toasts.ts';
import styles from './PlacesMap.module.css';
import { useOpenCluster } from './useOpenCluster.ts';
import { usePlaceClusters } from './usePlaceClusters.ts';

/** World map with clusters of items. Renders nothing if the map fails: the list of places contains the same. */
export const PlacesMap = (props: {
  /** Initial view in the format of `formatMapView`. */
  readonly view: string | undefined;
  readonly onView: (view: string) => void;
}) => {
  const { t } = useTranslation('explore');
  const { container, map, hasFailed } = useMap(() => {
    const { latitude, longitude, zoom } = parseMapView(props.view) ?? worldView;
    return { center: [longitude, latitude], zoom, locale: { 'Map.Title': t('map') } };
  });
  const clusters = usePlaceClusters(map);
  const openCluster = useOpenCluster(map);
  const handleView = useEffectEvent(props.onView);

  useEffect(() => {
    if (map === undefined) return undefined;
    const handleMove = (): void => {
      const { lat, lng } = map.getCenter();
      handleView(formatMapView({ latitude: lat, longitude: lng, zoom: map.getZoom() }));
    };
    map.on('moveend', handleMove);
    return () => void map.off('moveend', handleMove);
  }, [map]);

  const handleOpen = (cluster: MapCluster): void => {
    // The pressed marker disappears with the zoom, so keyboard focus moves to the map.
    map?.getCanvas().focus({ preventScroll: true });
    openCluster(cluster).catch(() => toasts.add({ title: t('failed.title', { ns: 'common' }) }));
  };

  if (hasFailed) return null;
  return (
    // MapLibre gives its canvas the same accessible name, with the role region.
    <div className={styles['frame']} role="group" aria-label={t('map')}>
      <div ref={container} className={styles['map']} />
      {map !== undefined && (
        <>
          {clusters.map((cluster) => (
            <Marker key={getKey(cluster)} map={map} longitude={cluster.longitude} latitude={cluster.latitude}>
              <Cluster cluster={cluster} onOpen={handleOpen} />
            </Marker>
          ))}
          <div className={styles['attribution']}>
            <MapAttribution map={map} />
          </div>
          <div className={styles['controls']}>
            <IconButton icon={Plus} label={t('mapNearer')} onClick={() => map.zoomIn()} />
            <IconButton icon={Minus} label={t('mapFarther')} onClick={() => map.zoomOut()} />
          </div>
        </>
      )}
    </div>
  );
};

const Cluster = (props: { readonly cluster: MapCluster; readonly onOpen: (cluster: MapCluster) => void }) => {
  const { t, i18n } = useTranslation('explore');
  const { count, thumbnailUrl } = props.cluster;
  return (
    <button
      type="button"
      className={styles['cluster']}
      aria-label={t('mapCluster', { count })}
      onClick={() => props.onOpen(props.cluster)}
    >
      <span className={styles['picture']}>
        {thumbnailUrl === undefined ? (
          <Image aria-hidden size={24} strokeWidth={1.5} />
        ) : (
          <img src={thumbnailUrl} alt="" decoding="async" />
        )}
      </span>
      {count > 1 && (
        <span className={styles['count']}>
          {new Intl.NumberFormat(i18n.language, { notation: 'compact' }).format(count)}
        </span>
      )}
    </button>
  );
};

const getKey = ({ bounds }: MapCluster): string => `${bounds.west},${bounds.south},${bounds.east}`;

/** Centre in degrees, WGS 84, and MapLibre's zoom. */
interface MapView {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

/** The whole world, centred on most of its land. */
const worldView: MapView = { latitude: 25, longitude: 10, zoom: 1 };

/** Formats a view as `46.802,8.227,5.3`. The position is precise to about 100 m. */
export const formatMapView = ({ latitude, longitude, zoom }: MapView): string =>
  [latitude.toFixed(3), longitude.toFixed(3), zoom.toFixed(1)].join(',');

/** Parses a view. Returns undefined if it is invalid. */
export const parseMapView = (text: string | undefined): MapView | undefined => {
  const parts = (text ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = parts;
  const isView =
    parts.length === 3 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 0 && zoom <= 22;
  return isView ? { latitude, longitude, zoom } : undefined;
};
