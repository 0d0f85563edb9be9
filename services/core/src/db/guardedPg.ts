import type { Duplex } from 'node:stream';
import pg from 'pg';

const connections = pg.Connection.prototype as unknown as { attachListeners(stream: Duplex): void };
const { attachListeners } = connections;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const protocolViolation = { code: '08P01' };

/**
 * pg parses messages in an event of the socket, and throws there on an invalid one, such as a field that is longer than its message. Nothing
 * could catch that, and the process would end. Here it becomes an error of the connection, which then closes, also with TLS. It holds for every
 * client of the process, those of the queues included.
 */
connections.attachListeners = function attachGuarded(stream) {
  const emit = stream.emit.bind(stream);
  stream.emit = (name: string | symbol, ...values: unknown[]): boolean => {
    if (name !== 'data') return emit(name, ...values);
    try {
      return emit(name, ...values);
    } catch (cause) {
      stream.destroy(Object.assign(new Error('PostgreSQL sent an invalid message', { cause }), protocolViolation));
      return true;
    }
  };
  attachListeners.call(this, stream);
};

export { pg };
