import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut and opened again, as when the server is away. */
export interface TcpProxy {
  /** Leads to the host and port of `url` from now on, and answers `url` with those of the proxy. */
  lead(url: string): string;
  /** Cuts every connection, and refuses new ones until `open`. */
  cut(): Promise<void>;
  open(): Promise<void>;
}

/** A proxy on a free port, which it keeps while it is cut. */
export const startTcpProxy = async (): Promise<TcpProxy> => {
  const sockets = new Set<Socket>();
  let target = { host: '', port: 0 };
  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
  });
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    lead: (url) => {
      const led = new URL(url);
      target = { host: led.hostname, port: Number(led.port) };
      led.host = `127.0.0.1:${port}`;
      return led.href;
    },
    cut: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    open: async () => void (await listen(port)),
  };
};
