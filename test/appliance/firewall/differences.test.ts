import { describe, expect, it } from 'vitest';
import { firewallDifferences, ufwDifferences } from '../../../appliance/firewall/differences.ts';
import { renderTable } from '../../../appliance/firewall/render-table.ts';
import { parseUfwStatus } from '../../../appliance/firewall/ufw.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const status = (...rules: string[]) => `Status: active
Default: deny (incoming), allow (outgoing), deny (routed)

${rules.map((rule) => `${rule.padEnd(27)}ALLOW IN    Anywhere\n`).join('')}`;
const usual = status('22/tcp (OpenSSH)', '80/tcp', '443/tcp');
const messages = (ufw: string, openings?: readonly string[]) =>
  ufwDifferences(parseUfwStatus(ufw), factsOf(openings)).problems.map(({ message }) => message);
const closedHere = (ufw: string) => ufwDifferences(parseUfwStatus(ufw), factsOf()).closedHere;

describe('UFW beside our table', () => {
  it('is as it should be where both open the same', () => {
    expect(messages(usual)).toEqual([]);
  });

  it('reports a port that our table closes, with commands to open or close it', () => {
    const ufw = `${usual}${status('8443/tcp')}`;
    expect(closedHere(ufw)).toEqual([
      {
        message: "8443/tcp is open in UFW, but closed in Landfall's table",
        hint: 'To open it, run: sudo landfall firewall allow 8443/tcp. To close it, run: sudo ufw delete allow 8443/tcp',
      },
    ]);
  });

  // An image with `ufw allow 22` kept the first boot from ever coming to an end.
  it('is no problem if it is open in UFW only: it stays closed', () => {
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
  ])('names the rule as UFW knows it: %s', (rule, command) => {
    const [problem] = closedHere(`${usual}${status(rule)}`);
    expect(problem?.hint?.endsWith(`run: ${command}`)).toBe(true);
  });

  it('has a port closed that our table opens', () => {
    expect(messages(usual, ['80/tcp', '443/tcp', '8443/tcp'])).toEqual([
      "8443/tcp is open in Landfall's table, but closed in UFW",
    ]);
  });

  it('is content with a port inside of a range that the other opens', () => {
    const ranges = status('22/tcp', '80/tcp', '443/tcp', '6000:6010/udp');
    expect(messages(ranges, ['80/tcp', '443/tcp', '6000-6010/udp'])).toEqual([]);
  });

  it('is named once where it does not run at all', () => {
    expect(messages('Status: inactive\n')).toEqual(['UFW is not active']);
  });

  it('is named where it lets in what no rule allows', () => {
    expect(messages(usual.replace('deny (incoming)', 'allow (incoming)'))).toEqual([
      'UFW does not deny incoming traffic by default',
    ]);
  });
});

describe('our table', () => {
  const found = async (table: string | number) => {
    const host = TemporaryHost.with({}, { 'nft list table': table, 'ufw status': usual });
    return (await firewallDifferences(host, factsOf())).problems.map(({ message }) => message);
  };

  it('is as it should be where its mark is that of the facts', async () => {
    expect(await found(renderTable(factsOf()))).toEqual([]);
  });

  it('is missed where it is not loaded', async () => {
    expect(await found(1)).toEqual(["Landfall's table is not loaded"]);
  });

  it('is noticed where it was made from other facts', async () => {
    expect(await found(renderTable(factsOf(['80/tcp'])))).toEqual([
      "Landfall's table does not match the settings",
    ]);
  });
});
