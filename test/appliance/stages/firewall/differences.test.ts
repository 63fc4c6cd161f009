import { describe, expect, it } from 'vitest';
import {
  describeFirewall,
  firewallDifferences,
  listFirewall,
  ufwDifferences,
} from '../../../../appliance/stages/firewall/differences.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { parseUfwStatus } from '../../../../appliance/stages/firewall/ufw.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const status = (...rules: string[]) => `Status: active
Default: deny (incoming), allow (outgoing), deny (routed)

${rules.map((rule) => `${rule.padEnd(27)}ALLOW IN    Anywhere\n`).join('')}`;
const defaults = status('22/tcp (OpenSSH)', '80/tcp', '443/tcp');
const messages = (ufw: string, openings?: readonly string[]) =>
  ufwDifferences(parseUfwStatus(ufw), factsOf(openings)).problems.map(({ message }) => message);
const closedHere = (ufw: string) => ufwDifferences(parseUfwStatus(ufw), factsOf()).closedHere;

describe('the comparison of UFW with our table', () => {
  it('finds no difference if both open the same ports', () => {
    expect(messages(defaults)).toEqual([]);
  });

  it('reports a port that is open in UFW only, with commands to open or close it', () => {
    const ufw = `${defaults}${status('8443/tcp')}`;
    expect(closedHere(ufw)).toEqual([
      {
        opening: '8443/tcp',
        message: "8443/tcp is open in UFW, but closed in Landfall's table",
        hint: 'To open it, run: sudo landfall firewall allow 8443/tcp. To close it, run: sudo ufw delete allow 8443/tcp',
      },
    ]);
  });

  // Regression: an image with `ufw allow 22` prevented the first boot from finishing.
  it('accepts a port that is open in UFW only, because it stays closed', () => {
    const ufw = status('22', '80/tcp', '443/tcp', '8443/tcp');
    expect(messages(ufw)).toEqual([]);
    expect(closedHere(ufw).map(({ opening }) => opening)).toEqual(['22/udp', '8443/tcp']);
  });

  it.each([
    ['22', 'sudo ufw delete allow 22'],
    ['6000:6010/udp', 'sudo ufw delete allow 6000:6010/udp'],
    ['8080/tcp (Apache Full)', "sudo ufw delete allow 'Apache Full'"],
  ])('quotes the rule in the syntax of UFW: %s', (rule, command) => {
    const [problem] = closedHere(`${defaults}${status(rule)}`);
    expect(problem?.hint?.endsWith(`run: ${command}`)).toBe(true);
  });

  it('reports a port that is closed in UFW only', () => {
    expect(messages(defaults, ['80/tcp', '443/tcp', '8443/tcp'])).toEqual([
      "8443/tcp is open in Landfall's table, but closed in UFW",
    ]);
  });

  it('accepts a port within an open range', () => {
    const ranges = status('22/tcp', '80/tcp', '443/tcp', '6000:6010/udp');
    expect(messages(ranges, ['80/tcp', '443/tcp', '6000-6010/udp'])).toEqual([]);
  });

  it('reports only that UFW is inactive', () => {
    expect(messages('Status: inactive\n')).toEqual(['UFW is not active']);
  });

  it('reports that UFW does not deny by default', () => {
    expect(messages(defaults.replace('deny (incoming)', 'allow (incoming)'))).toEqual([
      'UFW does not deny incoming traffic by default',
    ]);
  });
});

describe('the comparison of UFW with openings for some clients', () => {
  const opening = { first: 11443, last: 11443, protocol: 'tcp' } as const;
  const openings = ['203.0.113.20', '2001:db8::20'].map((from) => ({ ...opening, from }));
  const rule = (to: string, from: string) => `${to.padEnd(27)}ALLOW IN    ${from}\n`;
  const found = (...rules: string[]) => {
    const ufw = `${status('22/tcp')}${rules.join('')}`;
    return ufwDifferences(parseUfwStatus(ufw), factsOf([], { openings }));
  };
  const ours = [rule('11443/tcp', '203.0.113.20'), rule('11443/tcp', '2001:db8::20')];

  it('finds no difference, whatever the administrator opens for sources', () => {
    const others = [rule('11443/tcp', '10.0.0.0/8'), rule('9000', '10.0.0.1')];
    expect(found(...ours, ...others)).toEqual({ problems: [], closedHere: [] });
  });

  it('accepts a broader rule of the administrator', () => {
    const broad = [rule('11443', '203.0.113.0/24'), rule('11000:12000/tcp', '2001:db8::/32')];
    expect(found(...broad)).toEqual({ problems: [], closedHere: [] });
  });

  it('reports a client without a rule in UFW', () => {
    expect(found(...ours.slice(1)).problems.map(({ message }) => message)).toEqual([
      "11443/tcp from 203.0.113.20 is open in Landfall's table, but closed in UFW",
    ]);
  });

  it('reports a rule for everyone, without the advice to open the port', () => {
    expect(found(...ours, rule('11443/tcp', 'Anywhere'))).toEqual({
      problems: [],
      closedHere: [
        {
          opening: '11443/tcp',
          message:
            '11443/tcp is open for everyone in UFW, but 11443/tcp is open for the clients of the site only',
          hint: 'Run: sudo ufw delete allow 11443/tcp',
        },
      ],
    });
  });

  it('lists the clients of a port', () => {
    const facts = factsOf(['8443/tcp'], {
      openings: [...factsOf(['8443/tcp']).openings, ...openings],
    });
    const list = listFirewall(facts, { problems: [], closedHere: [] });
    expect(list).toMatchObject({
      open: ['8443/tcp'],
      openFor: [{ ports: '11443/tcp', clients: ['203.0.113.20', '2001:db8::20'] }],
    });
    expect(describeFirewall(list)).toContain('\n  11443/tcp  only from 203.0.113.20, 2001:db8::20');
  });
});

describe('our table', () => {
  const found = async (table: string | number) => {
    const host = TemporaryHost.with({}, { 'nft list table': table, 'ufw status': defaults });
    return (await firewallDifferences(host, factsOf())).problems.map(({ message }) => message);
  };

  it('accepts our firewall table if its mark matches the facts', async () => {
    expect(await found(renderTable(factsOf()))).toEqual([]);
  });

  it('reports our firewall table if it is not loaded', async () => {
    expect(await found(1)).toEqual(["Landfall's table is not loaded"]);
  });

  it('reports our firewall table if it was rendered from other facts', async () => {
    expect(await found(renderTable(factsOf(['80/tcp'])))).toEqual([
      "Landfall's table does not match the settings",
    ]);
  });
});

const destinations = [
  { address: '10.0.0.2', port: 7890 },
  { address: 'fd00::5', port: 443 },
  { address: '10.0.0.9', port: 8000, link: 'br-relay' },
];
const missing = { message: 'UFW is not active' };
const alone = {
  message: '9000/tcp is open in UFW',
  hint: 'Run: landfall firewall allow 9000/tcp',
};

const found = { problems: [missing], closedHere: [{ opening: '9000/tcp', ...alone }] };

describe('the list of open ports', () => {
  it('lists the open ports as JSON', () => {
    expect(listFirewall(factsOf(['80/tcp', '5-7/udp'], { destinations }), found)).toEqual({
      ssh: [22],
      open: ['80/tcp', '5-7/udp'],
      reachable: ['10.0.0.2:7890', '[fd00::5]:443', '10.0.0.9:8000 (relay only)'],
      problems: [missing, alone],
    });
  });

  it('lists the open ports as text', () => {
    const text = describeFirewall(listFirewall(factsOf(['80/tcp'], { destinations }), found));
    expect(text.split('\n')).toEqual([
      'From outside, over IPv4 and IPv6:',
      '  22/tcp  SSH, new connections are rate-limited',
      '  80/tcp',
      'Private endpoints that containers can reach: 10.0.0.2:7890, [fd00::5]:443, 10.0.0.9:8000 (relay only)',
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
