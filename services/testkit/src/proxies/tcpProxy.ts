import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy that can cut connections, as if the server were unavailable, or freeze them, as if it no longer responded.
 * `docs/docs/decisions/own-tools.md` explains what Toxiproxy lacks for this.
 */
export interface TcpProxy {
  /** Forwards to the host and port of `url` from now on. Returns `url` with the proxy's host and port. */
  setTarget(url: string): string;
  /** Cuts all connections, and refuses new ones until `open`. */
  cut(): Promise<void>;
  open(): Promise<void>;
  /** Holds back all bytes in both directions until `thaw`. Connections stay open, and new ones are accepted. */
  freeze(): void;
  /** Holds back only the bytes of the connections open now, as when a firewall has dropped their state. */
  freezeOpen(): void;
  thaw(): void;
  /** Never forwards another byte of the connections open now, as when the server's machine vanished. New connections work. */
  dropSilently(): void;
  /** Returns the number of open connections. */
  count(): number;
}

/** Starts a proxy on a free port, which it keeps while it is cut. */
export const startTcpProxy = async (): Promise<TcpProxy> => {
  const pairs = new Map<Socket, Socket>();
  // Sockets that are no longer read. They may never notice that the other end has closed.
  const dropped = new Set<Socket>();
  let target = { host: '', port: 0 };
  let isFrozen = false;
  const server = createServer((clientSocket) => {
    const serverSocket = connect(target);
    for (const [from, to] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      pairs.set(from, to);
      from
        .on('error', () => undefined)
        .on('close', () => {
          pairs.delete(from);
          to.destroy();
        });
      if (isFrozen) from.pause();
      else from.pipe(to);
    }
  });
  const freezeOpen = (): void => {
    for (const [from, to] of pairs) from.unpipe(to).pause();
  };
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    setTarget: (url) => {
      const proxiedUrl = new URL(url);
      target = { host: proxiedUrl.hostname, port: Number(proxiedUrl.port) };
      proxiedUrl.host = `127.0.0.1:${port}`;
      return proxiedUrl.href;
    },
    cut: async () => {
      server.close();
      for (const socket of [...pairs.keys(), ...dropped]) socket.destroy();
      dropped.clear();
      await once(server, 'close');
    },
    open: async () => void (await listen(port)),
    freeze: () => {
      isFrozen = true;
      freezeOpen();
    },
    freezeOpen,
    thaw: () => {
      isFrozen = false;
      for (const [from, to] of pairs) from.pipe(to);
    },
    dropSilently: () => {
      for (const [from, to] of pairs) dropped.add(from.unpipe(to).pause());
      pairs.clear();
    },
    count: () => pairs.size / 2,
  };
};
