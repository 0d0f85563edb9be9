import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A way to a server that can be cut and opened again, as if the server were unavailable, or frozen, as if it no longer responded.
 * `docs/docs/decisions/own-tools.md` says what Toxiproxy lacks for this.
 */
export interface TcpProxy {
  /** Leads to the host and port of `url` from now on, and answers `url` with those of the proxy. */
  lead(url: string): string;
  /** Cuts every connection, and refuses new ones until `open`. */
  cut(): Promise<void>;
  open(): Promise<void>;
  /** Holds back all bytes of both directions until `thaw`; connections stay open, and new ones are taken. */
  freeze(): void;
  /** Holds back only the bytes of the connections that are open now, as when a firewall has forgotten them. */
  freezeOpen(): void;
  thaw(): void;
  /** Never again passes a byte of the connections that are open now, as when the machine behind them vanished; new ones work. */
  strand(): void;
  /** How many connections are open. */
  count(): number;
}

/** A proxy on a free port, which it keeps while it is cut. */
export const startTcpProxy = async (): Promise<TcpProxy> => {
  const pairs = new Map<Socket, Socket>();
  // Nothing is read from these any more, so that they may never notice that the other end has closed.
  const stranded = new Set<Socket>();
  let target = { host: '', port: 0 };
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
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
    lead: (url) => {
      const led = new URL(url);
      target = { host: led.hostname, port: Number(led.port) };
      led.host = `127.0.0.1:${port}`;
      return led.href;
    },
    cut: async () => {
      server.close();
      for (const socket of [...pairs.keys(), ...stranded]) socket.destroy();
      stranded.clear();
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
    strand: () => {
      for (const [from, to] of pairs) stranded.add(from.unpipe(to).pause());
      pairs.clear();
    },
    count: () => pairs.size / 2,
  };
};
