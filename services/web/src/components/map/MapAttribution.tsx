import type { Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { useEffect, useState } from 'react';
import styles from './map.module.css';

/**
 * Attribution of the map tiles that an administrator configured. Renders nothing for sources without one, such as the
 * built-in outlines of countries, which are in the public domain.
 */
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
          <a key={`${text} ${href}`} href={href} target="_blank" rel="noreferrer">
            {text}
          </a>
        ),
      )}
    </p>
  );
};

interface AttributionPart {
  readonly text: string;
  readonly href: string | undefined;
}

const entities = new Map([
  ['copy', '©'],
  ['amp', '&'],
  ['nbsp', '\u00A0'],
  ['quot', '"'],
  ['lt', '<'],
  ['gt', '>'],
]);

/**
 * Parses the HTML of an attribution into text and http(s) links, so that it cannot inject markup. MapLibre's own
 * attribution control violates the Trusted Types of the page.
 */
export const readAttribution = (html: string): AttributionPart[] => {
  const parts: AttributionPart[] = [];
  let href: string | undefined;
  for (const [, tag, text] of html.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) parts.push({ text: decodeEntities(text), href });
    else if (/^\/?a\b/i.test(tag ?? ''))
      href = decodeEntities(/\shref=["']?(https?:[^"'\s]+)/i.exec(tag ?? '')?.[1] ?? '') || undefined;
  }
  return parts;
};

const decodeEntities = (text: string): string =>
  text.replace(/&(?:([a-z]+)|#(\d{1,6}));/gi, (whole, name: string | undefined, code: string | undefined) =>
    code === undefined ? (entities.get(name ?? '') ?? whole) : String.fromCodePoint(Number(code)),
  );
