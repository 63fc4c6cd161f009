import { describe, expect, it } from 'vitest';
import { neverBanned } from '../../../appliance/ban/ignored.ts';
import { renderAction } from '../../../appliance/ban/render-action.ts';
import { renderJails } from '../../../appliance/ban/render-jails.ts';
import { renderLogRotation } from '../../../appliance/ban/render-log-rotation.ts';
import { banningJails } from '../../../appliance/host/firewall-table.ts';

/** The settings of a file of fail2ban, by section. */
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

  it('are those that have sets in the firewall, and act there', () => {
    expect(Object.keys(jails)).toEqual([...banningJails]);
    for (const jail of Object.values(jails)) {
      expect(jail).toMatchObject({ enabled: 'true', action: 'landfall[name=%(__name__)s]' });
    }
  });

  it('read the journal for SSH, since Debian 12 and 13 write no auth.log', () => {
    expect(jails.sshd).toMatchObject({ backend: 'systemd', port: '22,2222' });
    expect(jails.sshd?.journalmatch).toContain('_COMM=sshd-session');
  });

  it('count five tries in ten minutes, and ban for an hour, longer each time', () => {
    expect(jails.sshd).toMatchObject({
      maxretry: '5',
      findtime: '10m',
      bantime: '1h',
      'bantime.increment': 'true',
      'bantime.maxtime': '1w',
    });
  });

  it('never ban loopback, who is named, or who is logged in', () => {
    for (const jail of Object.values(jails)) {
      expect(jail.ignoreip).toMatch(/^127\.0\.0\.0\/8 ::1 fe80::\/10 203\.0\.113\.7\b/);
      expect(jail.ignorecommand).toMatch(/landfall-owner <ip>$/);
    }
  });
});

describe('networks of many visitors', () => {
  it('are banned at SSH, and never at the gateway', () => {
    const jails = sectionsOf(renderJails({ ssh: [22], ignored: [], unlimited: ['192.0.2.0/24'] }));
    expect(jails.sshd?.ignoreip).not.toContain('192.0.2.0/24');
    expect(jails['gateway-login']?.ignoreip).toMatch(/ 192\.0\.2\.0\/24$/);
    expect(jails['gateway-scan']?.ignoreip).toMatch(/ 192\.0\.2\.0\/24$/);
  });
});

describe('what is never banned', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:db8:1:2::7', '2001:db8:1:2::7/64'],
    ['2001:db8:1:2::/112', '2001:db8:1:2::/64'],
    ['2001:db8:1::/48', '2001:db8:1::/48'],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ])('has for %s its network', (ignored, written) => {
    expect(neverBanned([ignored, ignored])).toBe(`127.0.0.0/8 ::1 fe80::/10 ${written}`);
  });
});

describe('the action', () => {
  it('acts in the set of its jail, by the version of IP', () => {
    expect(renderAction()).toContain('set = banned-<name>-4\n');
    expect(renderAction()).toMatch(/\[Init\?family=inet6\]\nset = banned-<name>-6\n/);
  });

  it('leaves other jails alone when one is flushed', () => {
    expect(renderAction()).toContain('actionflush = nft flush set inet landfall <set>\n');
  });
});

describe("the gateway's log", () => {
  it('is cut in place, because the container holds it open', () => {
    expect(renderLogRotation()).toContain('copytruncate');
    expect(renderLogRotation()).toContain('/var/lib/landfall/gateway-log/access.log {');
  });
});
