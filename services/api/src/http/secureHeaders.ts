import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { ApiConfig } from '../config/config.ts';

/** Helmet's headers, but for those that make a browser insist on https: at home there may be none. */
export const secureHeaders = (config: ApiConfig) =>
  helmet({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null, ...fileSources(config) } },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ?? false,
  });

/** The same as lines of an answer that is written without Express. */
export const secureHeaderLines = (config: ApiConfig): string[] => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  secureHeaders(config)(res.req, res, () => undefined);
  return Object.entries(res.getHeaders()).map(([name, value]) => `${name}: ${String(value)}`);
};

/** Of a file that somebody uploaded: whatever it is, a browser that opens it runs nothing and loads nothing. */
export const filePolicy = "default-src 'none'; sandbox";

/** Where a page of ours may get pictures and films from: links lead straight to the object store where it has a public address. */
const fileSources = ({ s3PublicUrl }: ApiConfig) =>
  s3PublicUrl !== undefined && {
    imgSrc: ["'self'", 'data:', s3PublicUrl],
    mediaSrc: ["'self'", s3PublicUrl],
  };
