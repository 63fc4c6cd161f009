import { describe, expect, it } from 'vitest';
import {
  describeFirewall,
  firewallDifferences,
  listFirewall,
  ufwDifferences,
} from '../../../appliance/firewall/differences.ts';
import { renderTable } from '../../../appliance/firewall/table.ts';
import { parseUfwStatus } from '../../../appliance/firewall/ufw.ts';
import { TemporaryHost } from '../temporary-host.ts';
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
        message: "8443/tcp is open in UFW, but closed in Landfall's table",
        hint: 'To open it, run: sudo landfall firewall allow 8443/tcp. To close it, run: sudo ufw delete allow 8443/tcp',
      },
    ]);
  });

  // Regression: an image with `ufw allow 22` prevented the first boot from finishing.
  it('accepts a port that is open in UFW only, because it stays closed', () => {
    const ufw = status('22', '80/tcp', '443/tcp', '8443/tcp');
    expect(messages(ufw)).toEqual([]);
    expect(closedHere(ufw).map(({ message }) => message.split(' ')[0])).toEqual([
      '22/udp',
      '8443/tcp',
    ]);
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
