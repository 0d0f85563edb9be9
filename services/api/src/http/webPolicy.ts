import type { ApiConfig } from '../config/config.ts';

/**
 * What a page of the web app may do (Content Security Policy, level 3): run and show what comes from here, nothing inline, and write into the
 * document only by way of the policy `hearth` of Trusted Types. WebAssembly may be compiled, by which files are hashed before they are uploaded.
 */
export const webPolicy = ({ s3PublicUrl, mapTilesUrl }: Pick<ApiConfig, 's3PublicUrl' | 'mapTilesUrl'>): string => {
  const store = originsOf(s3PublicUrl);
  const elsewhere = [...store, ...originsOf(mapTilesUrl)];
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

/** What no page of ours asks for, and so nothing that gets into one. */
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

const originsOf = (url: string | undefined): string[] => (url === undefined ? [] : [new URL(url).origin]);
