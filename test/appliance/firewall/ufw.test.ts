import { describe, expect, it } from 'vitest';
import { formatOpening, parseOpening } from '#contract/site/opening.ts';
import { parseUfwStatus, removeFromUfw, setUpUfw } from '../../../appliance/firewall/ufw.ts';
import { ufwAnswers } from '../answers.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { factsOf } from './facts-of.ts';

/** Output of ufw 0.36.2 in Debian 12 and 13. */
const verbose = `Status: active
Logging: on (low)
Default: deny (incoming), allow (outgoing), disabled (routed)
New profiles: skip

To                         Action      From
--                         ------      ----
22/tcp (OpenSSH)           LIMIT IN    Anywhere                  
80/tcp                     ALLOW IN    Anywhere                  
6000:6010/udp              ALLOW IN    Anywhere                   # games
8888/tcp                   ALLOW IN    10.0.0.0/8                
9000                       ALLOW IN    Anywhere                  
77/tcp on eth0             ALLOW IN    Anywhere                  
8080,8443/tcp (Web)        ALLOW IN    Anywhere                  
23/tcp                     DENY IN     Anywhere                  
25/tcp                     ALLOW OUT   Anywhere                  
22/tcp (OpenSSH (v6))      LIMIT IN    Anywhere (v6)             
80/tcp (v6)                ALLOW IN    Anywhere (v6)             
`;

const openings = (...texts: string[]) => texts.flatMap((text) => parseOpening(text) ?? []);

describe('the status of UFW', () => {
  const { openings: found, ...state } = parseUfwStatus(verbose);

  it('reads the state and the default policy from the status of UFW', () => {
    expect(state).toEqual({ active: true, closed: true, opensClient: false });
    expect(parseUfwStatus('Status: inactive\n')).toEqual({
      active: false,
      closed: false,
      openings: [],
      opensClient: false,
    });
    const lax = verbose.replace('deny (incoming)', 'allow (incoming)');
    expect(parseUfwStatus(lax).closed).toBe(false);
  });

  it('lists ports that are open to any source, once each', () => {
    expect(found.map(formatOpening)).toEqual([
      ...['22/tcp', '80/tcp', '6000-6010/udp', '9000/tcp', '9000/udp', '8080/tcp', '8443/tcp'],
    ]);
  });

  it('marks rate-limited ports', () => {
    expect(found.filter(({ limited }) => limited).map(formatOpening)).toEqual(['22/tcp']);
  });
});

describe('UFW', () => {
  const active = { ...ufwAnswers, 'ufw status': verbose };
  const profile = { 'etc/ufw/applications.d/openssh-server': '[OpenSSH]\nports=22/tcp\n' };

  it('sets up UFW as specified: SSH, 80, 443, then enabled', async () => {
    const host = TemporaryHost.with(profile, ufwAnswers);
    await setUpUfw(host, factsOf());
    expect(host.ran).toEqual([
      'ufw status verbose',
      'ufw limit OpenSSH',
      'ufw allow 80/tcp',
      'ufw allow 443/tcp',
      'ufw default deny incoming',
      'ufw --force enable',
    ]);
  });

  it('lets containers reach the proxy client, and no longer without one', async () => {
    const host = TemporaryHost.with(profile, ufwAnswers);
    const client = { address: '198.19.254.1', port: 7890 };
    await setUpUfw(host, factsOf([], { client }));
    const rule = 'allow proto tcp to 198.19.254.1 port 7890';
    expect(host.ran).toContain(`ufw ${rule}`);
    const row = '198.19.254.1 7890/tcp      ALLOW IN    Anywhere                  \n';
    const later = TemporaryHost.with(profile, { ...ufwAnswers, 'ufw status': verbose + row });
    await setUpUfw(later, factsOf([], { client }));
    expect(later.ran.join()).not.toContain(rule);
    await setUpUfw(later, factsOf());
    expect(later.ran).toContain(`ufw delete ${rule}`);
  });

  it('gets port numbers if sshd uses another port or has no profile', async () => {
    const elsewhere = TemporaryHost.with(profile, ufwAnswers);
    await setUpUfw(elsewhere, factsOf([], { ssh: [2222] }));
    expect(elsewhere.ran).toContain('ufw limit 2222/tcp');
    const bare = TemporaryHost.with({}, ufwAnswers);
    await setUpUfw(bare, factsOf([]));
    expect(bare.ran).toContain('ufw limit 22/tcp');
  });

  it('gets no command for existing rules', async () => {
    const host = TemporaryHost.with(profile, active);
    await setUpUfw(host, factsOf(['80/tcp', '443/tcp', '6000-6010/udp']));
    expect(host.ran).toEqual(['ufw status verbose', 'ufw allow 443/tcp']);
  });

  it('gets a rate limit for SSH if the existing rule has none', async () => {
    const lax = verbose.replace('LIMIT IN', 'ALLOW IN');
    const host = TemporaryHost.with(profile, { ...ufwAnswers, 'ufw status': lax });
    await setUpUfw(host, factsOf(['80/tcp']));
    expect(host.ran).toContain('ufw limit OpenSSH');
  });

  it('gets ranges with a colon', async () => {
    const host = TemporaryHost.with({}, ufwAnswers);
    await setUpUfw(host, factsOf(['6000-6010/udp']));
    expect(host.ran).toContain('ufw allow 6000:6010/udp');
  });

  it('gets separate rules beside broader ones, which another user may delete', async () => {
    const both =
      'Status: active\nDefault: deny (incoming)\n22   LIMIT IN  Anywhere\n80,443/tcp (Web)  ALLOW IN  Anywhere\n';
    const host = TemporaryHost.with({}, { ...ufwAnswers, 'ufw status': both });
    await setUpUfw(host, factsOf(['80/tcp']));
    expect(host.ran.slice(1)).toEqual(['ufw limit 22/tcp', 'ufw allow 80/tcp']);
  });

  it('gets delete commands with the text of its rules', async () => {
    const host = TemporaryHost.with({}, active);
    await removeFromUfw(host, openings('22/tcp', '6000-6010/udp', '80/tcp'));
    expect(host.ran.slice(1)).toEqual([
      'ufw delete limit OpenSSH',
      'ufw delete allow 80/tcp',
      'ufw delete allow 6000:6010/udp',
    ]);
  });

  it.each(['443/tcp', '9000/tcp', '8443/tcp'])(
    'keeps a rule that opens more than %s or is for another source',
    async (text) => {
      const host = TemporaryHost.with({}, active);
      await removeFromUfw(host, openings(text));
      expect(host.ran).toEqual(['ufw status verbose']);
    },
  );
});
