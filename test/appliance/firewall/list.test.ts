import { describe, expect, it } from 'vitest';
import { describeFirewall, listFirewall } from '../../../appliance/firewall/list.ts';
import { factsOf } from './facts-of.ts';

const destinations = [
  { address: '10.0.0.2', port: 7890 },
  { address: 'fd00::5', port: 443 },
];
const missing = { message: 'UFW is not active' };
const alone = {
  message: '9000/tcp is open in UFW',
  hint: 'Run: landfall firewall allow 9000/tcp',
};

const found = { problems: [missing], closedHere: [alone] };

describe('the list of open ports', () => {
  it('lists the open ports as JSON', () => {
    expect(listFirewall(factsOf(['80/tcp', '5-7/udp'], { destinations }), found)).toEqual({
      ssh: [22],
      open: ['80/tcp', '5-7/udp'],
      reachable: ['10.0.0.2:7890', '[fd00::5]:443'],
      problems: [missing, alone],
    });
  });

  it('lists the open ports as text', () => {
    const text = describeFirewall(listFirewall(factsOf(['80/tcp'], { destinations }), found));
    expect(text.split('\n')).toEqual([
      'From outside, over IPv4 and IPv6:',
      '  22/tcp  SSH, new connections are rate-limited',
      '  80/tcp',
      'Private endpoints that containers can reach: 10.0.0.2:7890, [fd00::5]:443',
      '! UFW is not active',
      '! 9000/tcp is open in UFW (Run: landfall firewall allow 9000/tcp)',
    ]);
  });

  it('omits empty sections', () => {
    expect(
      describeFirewall(listFirewall(factsOf([]), { problems: [], closedHere: [] })),
    ).not.toMatch(/Private|!/);
  });
});
