import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getDirectLinksUrl } from '@hearth/core/config/commonConfig.ts';
import helmet from 'helmet';
import type { ApiConfig } from '../../config/config.ts';

/** Helmet's headers. Forces https only if the public URL has it, because a home network may have only http. */
export const secureHeaders = (config: ApiConfig) =>
  helmet({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null, ...fileSources(config) } },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ?? false,
  });

/** The same headers as lines of a raw response. */
export const secureHeaderLines = (config: ApiConfig): string[] => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  secureHeaders(config)(res.req, res, () => undefined);
  return Object.entries(res.getHeaders()).map(([name, value]) => `${name}: ${String(value)}`);
};

/** Policy of an uploaded file: a browser that opens it runs and loads nothing. */
export const filePolicy = "default-src 'none'; sandbox";

/** Adds the origin of direct links to the sources of pictures and videos. */
const fileSources = (config: ApiConfig) => {
  const store = getDirectLinksUrl(config);
  return store !== undefined && { imgSrc: ["'self'", 'data:', store], mediaSrc: ["'self'", store] };
};
