import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Colour, makePlainPicture } from '@hearth/testkit/pictures/colourShare.ts';

/** Local tile server. Its tiles have a colour that appears nowhere else on a page. */
export interface TileServer {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Stops the server. It refuses connections from then on. */
  stop(): Promise<void>;
}

export const tileColour: Colour = [200, 30, 160];

const tileAttribution = '<a href="https://tiles.example/copyright">&copy; Tiles of the house</a>';

/**
 * Serves tiles at `/{z}/{x}/{y}.png` and a style with them at `/style.json`, to all origins, like public tile servers.
 */
export const startTileServer = async (): Promise<TileServer> => {
  const tile = await makePlainPicture(tileColour, 256);
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, headers });
    response.setHeader('access-control-allow-origin', '*');
    if (url === '/style.json') return response.setHeader('content-type', 'application/json').end(makeStyle(address()));
    if (!/^\/\d+\/\d+\/\d+\.png$/.test(url)) return response.writeHead(404).end();
    return response.setHeader('content-type', 'image/png').end(tile);
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: address(),
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const makeStyle = (url: string): string =>
  JSON.stringify({
    version: 8,
    sources: {
      tiles: { type: 'raster', tiles: [`${url}/{z}/{x}/{y}.png`], tileSize: 256, attribution: tileAttribution },
    },
    layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
  });
