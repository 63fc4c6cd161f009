import { describe, expect, it } from 'vitest';
import { proveCapture } from '../../../../appliance/route/capture/prove.ts';
import { probeAnswers, sshAnswers } from '../../answers.ts';
import { capturing } from './rig.ts';

const [tun, uplink] = [
  '192.0.2.1 dev landfall0 table 2022',
  '192.0.2.1 via 203.0.113.1 dev eth0 mark',
];
const routes = {
  'ip -4 route get 192.0.2.1': tun,
  'ip -4 route get 192.0.2.1 mark 0x10000000': uplink,
  'ip -6 route get 2001:db8::1 mark 0x10000000': 2,
};
const usual = {
  ...sshAnswers,
  ...probeAnswers,
  ...routes,
  'ip netns exec landfall-probe': '["open"]',
  'apt-get update --print-uris': '',
};

describe('the proof of a capture', () => {
  it('accepts packets to the internet in the TUN interface, and replies outside of it', async () => {
    const { context, host } = capturing(usual);
    await proveCapture(context);
    expect(host.ran).toContain('ip -4 route get 192.0.2.1 mark 0x10000000');
  });

  it('rejects replies that enter the TUN interface, and SSH that is not reachable', async () => {
    const { context } = capturing({
      ...usual,
      'ip -4 route get 192.0.2.1 mark 0x10000000': tun,
      'ip netns exec landfall-probe': '["filtered"]',
    });
    await expect(proveCapture(context)).rejects.toMatchObject({
      code: 'ROUTE_BLOCKED',
      problems: [
        { message: 'replies to connections from outside enter the TUN interface' },
        { message: 'SSH port 22 is filtered from outside over IPv4' },
      ],
    });
  });
});
