import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createSiteServer } from '../server/siteServer.ts';

/**
 * Serves a built site on this machine, as its image does.
 * @param port 0 for any that is free
 */
export const serveSite = async (folder: string, port = 0): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const server = createSiteServer(folder).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
