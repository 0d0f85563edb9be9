import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkInterfaceInfo } from 'node:os';
import { localAddress } from './messages.ts';

const ipv4 = (address: string, internal = false): NetworkInterfaceInfo => {
  return { address, internal, family: 'IPv4', netmask: '255.255.255.0', mac: '00:00:00:00:00:00', cidr: null };
};

const interfaces = {
  lo: [ipv4('127.0.0.1', true)],
  docker0: [ipv4('172.17.0.1')],
  eth0: [{ ...ipv4('fe80::1'), family: 'IPv6' as const, scopeid: 1 }, ipv4('192.168.1.20')],
};

for (const [host, address] of [
  ['127.0.0.1', 'http://127.0.0.1:5001'],
  ['192.168.1.9', 'http://192.168.1.9:5001'],
  ['::1', 'http://[::1]:5001'],
  ['0.0.0.0', 'http://192.168.1.20:5001'],
  ['::', 'http://192.168.1.20:5001'],
] as const) {
  test(`prints ${address} when listening on ${host}`, () => {
    assert.equal(localAddress({ host, port: 5001 }, interfaces), address);
  });
}

test('prints the loopback address when listening on all interfaces without a network', () => {
  assert.equal(localAddress({ host: '0.0.0.0', port: 5001 }, { lo: interfaces.lo }), 'http://127.0.0.1:5001');
});
