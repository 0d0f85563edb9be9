import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from 'express';

/**
 * The network of a request, by which sign-in attempts are counted: an IPv4 address, or the first 64 bits of an IPv6 address, which belong to
 * one household. Express finds the address: the peer's, or behind trusted proxies (`HEARTH_TRUSTED_PROXIES`) the right-most one of
 * `X-Forwarded-For` that is no trusted proxy's. If a proxy has written no valid address, the peer's counts.
 */
export const networkOf = ({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string =>
  networkOfAddress(withoutPort(ip)) ?? networkOfAddress(socket.remoteAddress ?? '') ?? 'unknown';

/** The full address of a request's client, found as `networkOf` says. */
export const addressOf = ({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string => {
  const address = withoutPort(ip);
  const found = networkOfAddress(address) === undefined ? (socket.remoteAddress ?? 'unknown') : address;
  return found.replace(/^::ffff:(?=\d+\.)/i, '');
};

/** The network of an address, as `networkOf` says; undefined if the text is no address. */
export const networkOfAddress = (address: string): string | undefined => {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const groups = groupsOf(address);
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return isMappedIPv4 ? bytes.join('.') : `${network.join(':')}::/64`;
};

/** The eight numbers of an IPv6 address, whichever way it is written. */
const groupsOf = (address: string): number[] => {
  // URL writes every form of an address as one, with `::` for the longest row of zeros; it knows no zones (`%eth0`).
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
};

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^(?<address>\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.groups?.['address'] ??
  /^\[(?<address>[^\]]+)\](:\d+)?$/.exec(address)?.groups?.['address'] ??
  address;

/** The network, address and device of a client, known before it signs in. */
export const clientOf = (req: Request) => ({
  network: networkOf(req),
  address: addressOf(req),
  device: deviceOf(req),
});

/** Characters of a `User-Agent` that are kept: browsers need 120, some apps twice as many. */
const maxDeviceLength = 256;

/** The client's `User-Agent` without control characters, safe to show on a page; undefined without the header. */
const deviceOf = ({ headers }: Pick<Request, 'headers'>): string | undefined =>
  (headers['user-agent'] ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxDeviceLength) || undefined;
