import { describe, expect, it } from 'vitest';
import {
  freeAddress,
  type Member,
  ownKey,
  readMembers,
  writeMembers,
} from '../../../../appliance/nodes/swarm/members.ts';
import { nodeAddresses } from '../../../../appliance/nodes/swarm/network.ts';
import { firstInterface, nodeInterface } from '../../../../appliance/nodes/swarm/wireguard.ts';
import { makeKey, publicKeyOf } from '../../../../appliance/server/host/wireguard/key.ts';
import { errorOf, rejectionOf } from '../../../setup/landfall-error.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const member = (name: string, address: string): Member => ({
  ...{ name, address: address as Member['address'] },
  publicKey: publicKeyOf(makeKey()),
  expires: '2026-11-29T00:00:00.000Z',
});
const configuration = ({ files = [] }: ReturnType<typeof firstInterface>) => String(files[0]?.text);

describe('the members of a Swarm', () => {
  it('stores them for root only, with a key that stays', async () => {
    const host = TemporaryHost.with({});
    expect(await readMembers(host)).toEqual([]);
    const members = [member('gpu1', '198.19.253.2')];
    await writeMembers(host, members);
    expect(await readMembers(host)).toEqual(members);
    expect(await ownKey(host)).toBe(await ownKey(host));
  });

  it('rejects a damaged file, and says how to go on', async () => {
    const host = TemporaryHost.with({ 'etc/landfall/swarm/members.json': '{"members": 1}' });
    expect(await rejectionOf(readMembers(host))).toMatchObject({ code: 'STATE_INVALID' });
  });

  it('get the first free address, and keep it with a new token', () => {
    const members = [member('a', '198.19.253.2'), member('c', '198.19.253.4')];
    expect(freeAddress(members, 'b')).toBe('198.19.253.3');
    expect(freeAddress(members, 'c')).toBe('198.19.253.4');
  });

  it('rejects more than HAProxy has servers', () => {
    const all = nodeAddresses.map((address, index) => member(`n${index}`, address));
    expect(errorOf(() => freeAddress(all, 'more')).message).toContain('the limit');
  });
});

describe('the interface of WireGuard', () => {
  it('accepts each node at its own address only', () => {
    const members = [member('gpu1', '198.19.253.2'), member('gpu2', '198.19.253.3')];
    const text = configuration(firstInterface(makeKey(), 51820, members));
    expect(text).toContain('Address = 198.19.253.1/24\n');
    expect(text).toContain('ListenPort = 51820\n');
    expect(text.match(/AllowedIPs = .*/g)).toEqual([
      'AllowedIPs = 198.19.253.2/32',
      'AllowedIPs = 198.19.253.3/32',
    ]);
    expect(text).not.toContain('Endpoint');
  });

  it('keeps a node reachable behind NAT, and writes addresses of IPv6 in brackets', () => {
    const peer = publicKeyOf(makeKey());
    const node = { address: '198.19.253.2', key: makeKey(), peer, port: 51820 };
    const text = configuration(nodeInterface({ ...node, host: '2001:db8::1' }));
    expect(text).toContain('Endpoint = [2001:db8::1]:51820\nPersistentKeepalive = 25\n');
    expect(text).not.toContain('ListenPort');
  });

  it('writes a file that only root reads', () => {
    const { files = [] } = firstInterface(makeKey(), 51820, []);
    expect(files[0]).toMatchObject({ path: 'etc/wireguard/wg-landfall.conf', mode: 0o600 });
  });

  it('needs no more than the AppArmor profiles of wg and wg-quick allow on Ubuntu', () => {
    const node = { address: '198.19.253.2', key: makeKey(), peer: publicKeyOf(makeKey()), port: 1 };
    const both = [
      firstInterface(makeKey(), 51820, [member('gpu1', '198.19.253.2')]),
      nodeInterface({ ...node, host: 'a.example' }),
    ];
    for (const service of both) {
      // They allow files below /etc/wireguard, and no program or file that a hook would use.
      expect(service.files?.[0]?.path).toMatch(/^etc\/wireguard\//);
      const names = [...configuration(service).matchAll(/^(\w+) = /gm)].map(([, name]) => name);
      const allowed = ['Address', 'PrivateKey', 'ListenPort', 'MTU'];
      const ofPeers = ['PublicKey', 'AllowedIPs', 'Endpoint', 'PersistentKeepalive'];
      expect([...allowed, ...ofPeers]).toEqual(expect.arrayContaining(names));
      // Seen in the kernel's log: bash looks both up in /etc/passwd.
      const unit = service.files?.find(({ path }) => path.includes('wg-quick@'));
      expect(unit?.text).toMatch(/^Environment=HOME=\S+ SHELL=\S+$/m);
    }
  });
});
