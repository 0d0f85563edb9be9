import { getDirectLinksUrl } from '@hearth/core/config/commonConfig.ts';
import type { ApiConfig } from '../config/config.ts';

/**
 * Content Security Policy (level 3) of the web app. Scripts and styles come from this origin and are never inline. Only
 * the Trusted Types policy `hearth` may write HTML. WebAssembly is allowed, because the web app uses it to hash files
 * before uploads.
 */
export const webPolicy = (config: Pick<ApiConfig, 's3DirectLinks' | 's3PublicUrl' | 'mapTilesUrl'>): string => {
  const store = listOrigins(getDirectLinksUrl(config));
  const elsewhere = [...store, ...listOrigins(config.mapTilesUrl)];
  const directives: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'blob:', 'data:', ...elsewhere],
    'media-src': ["'self'", 'blob:', ...store],
    'connect-src': ["'self'", ...elsewhere],
    'font-src': ["'self'"],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['hearth'],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
};

/** Browser features that Hearth never uses, switched off so that injected code cannot use them either. */
export const permissionsPolicy = [
  'accelerometer',
  'camera',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'payment',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

const listOrigins = (url: string | undefined): string[] => (url === undefined ? [] : [new URL(url).origin]);
