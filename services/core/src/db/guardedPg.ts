import type { Duplex } from 'node:stream';
import pg from 'pg';

const connections = pg.Connection.prototype as unknown as { attachListeners(stream: Duplex): void };
const { attachListeners } = connections;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const protocolViolation = { code: '08P01' };

/**
 * Turns an invalid message into an error of the connection. pg parses messages in a socket event and throws there, for
 * example for a field longer than its message: nothing could catch that, and the process would end. Applies to all
 * clients of the process, including the queue's, and with TLS.
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
