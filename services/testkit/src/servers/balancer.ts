import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Distributes connections over servers like a load balancer of a cluster. */
export interface Balancer {
  readonly port: number;
  /** Sends no more connections to a server that accepts them but does not respond, as after a failed health check. */
  leaveOut(port: number): void;
  takeIn(port: number): void;
  close(): Promise<void>;
}

/**
 * Forwards each connection to the next server on these local ports that accepts it. A connection that breaks on one side breaks on the other. If no
 * server accepts it, it is closed.
 */
export const startBalancer = async (ports: readonly number[]): Promise<Balancer> => {
  const leftOut = new Set<number>();
  const nears = new Set<Socket>();
  let turn = 0;
  const lead = (near: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    const tryNext = (): void => lead(near, others);
    far.on('error', tryNext).once('connect', () => {
      far.off('error', tryNext).on('error', () => near.resetAndDestroy());
      far.on('close', () => near.destroySoon());
      near.on('close', () => far.destroy());
      if (near.destroyed) far.destroy();
      far.pipe(near).pipe(far);
    });
  };
  const server = createServer((near) => {
    nears.add(near);
    near.on('error', () => undefined).on('close', () => nears.delete(near));
    turn += 1;
    const inTurn = ports.map((_, index) => ports[(turn + index) % ports.length]!);
    lead(
      near,
      inTurn.filter((port) => !leftOut.has(port)),
    );
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    leaveOut: (port) => void leftOut.add(port),
    takeIn: (port) => void leftOut.delete(port),
    close: async () => {
      server.close();
      for (const near of nears) near.destroy();
      await once(server, 'close');
    },
  };
};
