import { describe, expect, it } from 'vitest';
import { formatOpening, parseOpening } from '#contract/site/opening.ts';
import {
  parseUfwStatus,
  removeFromUfw,
  setUpUfw,
} from '../../../../appliance/stages/firewall/ufw.ts';
import { ufwAnswers } from '../../answers.ts';
import { TemporaryHost } from '../../temporary-host.ts';
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
    expect(state).toEqual({
      ...{ active: true, closed: true, opensClient: false },
      ...{ opensSwarm: false, forwardsSwarm: false },
    });
    expect(parseUfwStatus('Status: inactive\n')).toEqual({
      active: false,
      closed: false,
      openings: [],
      opensClient: false,
      opensSwarm: false,
      forwardsSwarm: false,
    });
    const lax = verbose.replace('deny (incoming)', 'allow (incoming)');
    expect(parseUfwStatus(lax).closed).toBe(false);
  });

  it('lists ports that are open to any source, once each', () => {
    expect(found.filter(({ from }) => from === undefined).map(formatOpening)).toEqual([
      ...['22/tcp', '80/tcp', '6000-6010/udp', '9000/tcp', '9000/udp', '8080/tcp', '8443/tcp'],
    ]);
  });

  it('marks rate-limited ports', () => {
    expect(found.filter(({ limited }) => limited).map(formatOpening)).toEqual(['22/tcp']);
  });
});

/** Rows of the same ufw, of rules with a source. */
const withSources = `11443/tcp                  ALLOW IN    203.0.113.20              
11443/tcp                  ALLOW IN    10.0.0.0/8                
11443                      ALLOW IN    10.1.0.0/16               
11443/tcp                  ALLOW IN    10.2.0.0/16 5000/tcp      
11443/tcp on eth0          ALLOW IN    10.3.0.0/16               
11443/tcp                  ALLOW IN    10.4.0.0/16                # mine ok
11443/tcp                  LIMIT IN    10.5.0.0/16               
11443/tcp                  DENY IN     10.6.0.0/16               
11443/tcp                  ALLOW IN    10.7.0.0/16                (log)
11443,11444/tcp            ALLOW IN    10.8.0.0/16               
192.0.2.1 11443/tcp        ALLOW IN    10.9.0.0/16               
Anywhere                   ALLOW IN    10.10.0.0/16              
11443:11450/tcp            ALLOW IN    10.11.0.0/16              
80/tcp (WWW)               ALLOW IN    10.12.0.0/16              
11443/tcp                  ALLOW IN    2001:db8::20              
11443/tcp                  ALLOW IN    2001:db8:5:6:7:8:9:a/64   
11443/tcp                  ALLOW IN    ::ffff:1.2.3.4            
11443/tcp                  ALLOW IN    2001:db8:1234:5678:9abc:def0:1234:5678
11443/tcp                  ALLOW IN    2001:db8:1234:5678:9abc:def0:1234:5679 # mine six

11443/tcp                  ALLOW FWD   10.13.0.0/16              
`;

describe('rules of UFW with a source', () => {
  const { openings: found } = parseUfwStatus(verbose + withSources);
  const of = (sole: boolean) =>
    found.filter((each) => each.from !== undefined && each.sole === sole).map(formatOpening);

  it('reads rules for a port and a source, over IPv4 and IPv6', () => {
    expect(of(true)).toEqual([
      '8888/tcp from 10.0.0.0/8',
      '11443/tcp from 203.0.113.20',
      '11443/tcp from 10.0.0.0/8',
      '11443/tcp from 10.4.0.0/16',
      '11443/tcp from 10.7.0.0/16',
      '11443-11450/tcp from 10.11.0.0/16',
      '11443/tcp from 2001:db8::20',
      '11443/tcp from 2001:db8:5:6::/64',
      '11443/tcp from ::ffff:102:304',
      '11443/tcp from 2001:db8:1234:5678:9abc:def0:1234:5678',
      '11443/tcp from 2001:db8:1234:5678:9abc:def0:1234:5679',
    ]);
  });

  it('leaves rules that open more to the administrator', () => {
    expect(of(false)).toEqual([
      '11443/tcp from 10.1.0.0/16',
      '11443/udp from 10.1.0.0/16',
      '11443/tcp from 10.8.0.0/16',
      '11444/tcp from 10.8.0.0/16',
    ]);
  });

  const clients = (...sources: string[]) =>
    openings('11443/tcp').flatMap((each) => sources.map((from) => ({ ...each, from })));
  const active = {
    ...ufwAnswers,
    'ufw status': verbose.replace('LIMIT IN', 'ALLOW IN') + withSources,
  };

  it('adds rules for clients that have none', async () => {
    const host = TemporaryHost.with({}, active);
    const facts = factsOf(['80/tcp']);
    const sources = ['10.0.0.0/8', '10.5.0.0/16', '10.12.0.0/16', '2001:db8::20', '2001:db8::21'];
    await setUpUfw(host, { ...facts, openings: clients(...sources) });
    expect(host.ran.slice(1)).toEqual([
      'ufw allow proto tcp from 10.5.0.0/16 to any port 11443',
      'ufw allow proto tcp from 10.12.0.0/16 to any port 11443',
      'ufw allow proto tcp from 2001:db8::21 to any port 11443',
    ]);
  });

  it('removes exactly the rules of the clients that leave', async () => {
    const host = TemporaryHost.with({}, active);
    const sources = ['203.0.113.20', '2001:db8::20', '::ffff:102:304', '10.1.0.0/16', '10.9.0.1'];
    await removeFromUfw(host, clients(...sources));
    expect(host.ran.slice(1)).toEqual([
      'ufw delete allow proto tcp from 203.0.113.20 to any port 11443',
      'ufw delete allow proto tcp from 2001:db8::20 to any port 11443',
      'ufw delete allow proto tcp from ::ffff:102:304 to any port 11443',
    ]);
  });

  it('keeps the rules of clients when the same port is closed for everyone', async () => {
    const host = TemporaryHost.with({}, active);
    await removeFromUfw(host, openings('11443/tcp'));
    expect(host.ran).toEqual(['ufw status verbose']);
  });
});

describe('UFW', () => {
  const active = { ...ufwAnswers, 'ufw status': verbose.replace('LIMIT IN', 'ALLOW IN') };
  const profile = { 'etc/ufw/applications.d/openssh-server': '[OpenSSH]\nports=22/tcp\n' };

  it('sets up UFW as specified: SSH, 80, 443, then enabled', async () => {
    const host = TemporaryHost.with(profile, ufwAnswers);
    await setUpUfw(host, factsOf());
    expect(host.ran).toEqual([
      'ufw status verbose',
      'ufw allow OpenSSH',
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
    expect(elsewhere.ran).toContain('ufw allow 2222/tcp');
    const bare = TemporaryHost.with({}, ufwAnswers);
    await setUpUfw(bare, factsOf([]));
    expect(bare.ran).toContain('ufw allow 22/tcp');
  });

  it('gets no command for existing rules', async () => {
    const host = TemporaryHost.with(profile, active);
    await setUpUfw(host, factsOf(['80/tcp', '443/tcp', '6000-6010/udp']));
    expect(host.ran).toEqual(['ufw status verbose', 'ufw allow 443/tcp']);
  });

  // UFW refuses the sixth connection in half a minute, and said nothing.
  it('gets no rate limit for SSH, also where an earlier release set one', async () => {
    const host = TemporaryHost.with(profile, { ...ufwAnswers, 'ufw status': verbose });
    await setUpUfw(host, factsOf(['80/tcp']));
    expect(host.ran).toContain('ufw allow OpenSSH');
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
    expect(host.ran.slice(1)).toEqual(['ufw allow 22/tcp', 'ufw allow 80/tcp']);
  });

  it('gets delete commands with the text of its rules', async () => {
    const host = TemporaryHost.with({}, { ...ufwAnswers, 'ufw status': verbose });
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
