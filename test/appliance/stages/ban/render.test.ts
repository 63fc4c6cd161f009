import { describe, expect, it } from 'vitest';
import { neverBanned } from '../../../../appliance/stages/ban/ignored.ts';
import {
  renderAction,
  renderJails,
  renderLogRotation,
} from '../../../../appliance/stages/ban/service.ts';
import { banningJails } from '../../../../appliance/stages/firewall/public.ts';

/** Returns the settings of a fail2ban file by section. */
function sectionsOf(text: string): Record<string, Record<string, string>> {
  const sections: Record<string, Record<string, string>> = {};
  let current: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, section] = /^\[(.+)\]$/.exec(line) ?? [];
    if (section) sections[section] = current = {};
    const [, name, value] = /^([^#\s=]+) = (.*)$/.exec(line) ?? [];
    if (name && value !== undefined) current[name] = value;
  }
  return sections;
}

describe('the jails', () => {
  const jails = sectionsOf(
    renderJails({ ssh: [22, 2222], ignored: ['203.0.113.7'], unlimited: ['192.0.2.0/24'] }),
  );

  it('gives each jail one set in the firewall and the action of Landfall', () => {
    expect(Object.keys(jails)).toEqual([...banningJails]);
    for (const jail of Object.values(jails)) {
      expect(jail).toMatchObject({ enabled: 'true', action: 'landfall[name=%(__name__)s]' });
    }
  });

  it('read the journal for SSH, because Debian 12 and 13 have no auth.log', () => {
    expect(jails.sshd).toMatchObject({ backend: 'systemd', port: '22,2222' });
    expect(jails.sshd?.journalmatch).toContain('_COMM=sshd-session');
  });

  it('allow five attempts in ten minutes, then ban for an hour, increasing up to a week', () => {
    expect(jails.sshd).toMatchObject({
      maxretry: '5',
      findtime: '10m',
      bantime: '1h',
      'bantime.increment': 'true',
      'bantime.maxtime': '1w',
    });
  });

  it('never ban loopback, listed addresses and addresses with an active login', () => {
    for (const jail of Object.values(jails)) {
      expect(jail.ignoreip).toMatch(/^127\.0\.0\.0\/8 ::1 fe80::\/10 203\.0\.113\.7\b/);
      expect(jail.ignorecommand).toMatch(/landfall-owner <ip>$/);
    }
  });
});

describe('networks without connection limits', () => {
  it('can be banned at SSH, but not at the gateway', () => {
    const jails = sectionsOf(renderJails({ ssh: [22], ignored: [], unlimited: ['192.0.2.0/24'] }));
    expect(jails.sshd?.ignoreip).not.toContain('192.0.2.0/24');
    expect(jails['gateway-login']?.ignoreip).toMatch(/ 192\.0\.2\.0\/24$/);
    expect(jails['gateway-scan']?.ignoreip).toMatch(/ 192\.0\.2\.0\/24$/);
  });
});

describe('an address that is never banned', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:db8:1:2::7', '2001:db8:1:2::7/64'],
    ['2001:db8:1:2::/112', '2001:db8:1:2::/64'],
    ['2001:db8:1::/48', '2001:db8:1::/48'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ])('writes an address that is never banned as a network: %s as %s', (ignored, written) => {
    expect(neverBanned([ignored, ignored])).toBe(`127.0.0.0/8 ::1 fe80::/10 ${written}`);
  });
});

describe('the action', () => {
  it('uses the set of its jail for the IP version', () => {
    expect(renderAction()).toContain('set = banned-<name>-4\n');
    expect(renderAction()).toMatch(/\[Init\?family=inet6\]\nset = banned-<name>-6\n/);
  });

  it('flushes only the set of its own jail', () => {
    expect(renderAction()).toContain('actionflush = nft flush set inet landfall <set>\n');
  });
});

describe('the log rotation of the gateway', () => {
  it('truncates the log in place, because the container keeps it open', () => {
    expect(renderLogRotation()).toContain('copytruncate');
    expect(renderLogRotation()).toContain('/var/lib/landfall/gateway-log/access.log {');
  });
});
