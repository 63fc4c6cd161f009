import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { renderFilter, renderJails } from '../../../appliance/stages/ban/service.ts';
import { debianSuites } from '../../host/distributions.ts';
import { inChroot } from '../chroot.ts';
import { needs } from '../needs.ts';

const day = '21/Nov/2026:07:35:30 +0000';
const request = (line: string, status: number, user = '-', from = '203.0.113.9') =>
  `${from} - ${user} [${day}] "${line}" ${status} 153 "-" "Mozilla/5.0 (X11; Linux)"`;

for (const suite of debianSuites()) {
  const given = needs(suite);

  given.describe(`the filter of the gateway's log, in fail2ban of ${suite}`, () => {
    let folder: string;
    const jails = renderJails({ ssh: [22], ignored: [], unlimited: [] });
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'landfall-filter-'));
      await writeFile(join(folder, 'gateway.conf'), renderFilter());
    });
    afterAll(async () => await rm(folder, { recursive: true }));

    /** Returns the addresses that a mode finds in lines. */
    async function found(mode: 'login' | 'scan', ...lines: string[]): Promise<string[]> {
      await writeFile(join(folder, 'access.log'), `${lines.join('\n')}\n`);
      const args = ['--out', 'ip', '/mnt/access.log', `/mnt/gateway.conf[mode=${mode}]`];
      const { output } = await inChroot(given[suite], { folder, command: 'fail2ban-regex', args });
      return output.split('\n').filter((line) => /^[0-9a-f.:/]+$/.test(line));
    }

    it.each([
      ['the sign-in of the UI, refused', 'POST /api/v1/auths/signin HTTP/1.1', 400],
      ['an API key that the relay rejects', 'POST /v1/chat/completions HTTP/1.1', 401],
      ['an access code of a front-end', 'POST /api/openai/v1/chat/completions HTTP/1.1', 401],
    ])('counts as a failed login: %s', async (_what, line, status) => {
      expect(await found('login', request(line, status))).toEqual(['203.0.113.9']);
    });

    it.each([
      ['a successful login', 'POST /api/v1/auths/signin HTTP/1.1', 200],
      ['a sign-in that the gateway limits', 'POST /api/v1/auths/signin HTTP/2.0', 429],
      ['an expired browser session', 'GET /api/v1/chats HTTP/1.1', 401],
      ['a failed chat', 'POST /api/chat/completions HTTP/1.1', 400],
      ['Ollama being unavailable', 'POST /v1/chat/completions HTTP/1.1', 502],
    ])('counts no failed login in the log of the gateway for %s', async (_what, line, status) => {
      expect(await found('login', request(line, status))).toEqual([]);
    });

    it.each([
      ['a path of another product', 'GET /wp-login.php HTTP/1.1', 404],
      ['a forbidden path', 'GET /.env HTTP/1.1', 403],
      ['a request that is not HTTP', String.raw`\x16\x03\x01\x00\xEE`, 400],
      ['an escaped quote', String.raw`GET /\x22 200 1 \x22 HTTP/1.1`, 404],
    ])('counts as scanning: %s', async (_what, line, status) => {
      expect(await found('scan', request(line, status))).toEqual(['203.0.113.9']);
    });

    it('does not count existing paths and expired sessions as scanning', async () => {
      const lines = [200, 204, 206, 301, 304, 401, 499, 500, 502].map((status) =>
        request('GET / HTTP/1.1', status),
      );
      expect(await found('scan', ...lines)).toEqual([]);
    });

    it('counts the /64 of an IPv6 address as one, and no IPv4 network', async () => {
      const lines = ['2001:db8:1:2::9/64', '2001:db8:1:2:ffff::1/64', '203.0.113.9'].map((from) =>
        request('GET /x HTTP/1.1', 404, '-', from),
      );
      const network = '2001:db8:1:2::/64';
      expect(await found('scan', ...lines)).toEqual([network, network, '203.0.113.9']);
      const line = 'POST /api/v1/auths/signin HTTP/2.0';
      expect(await found('login', request(line, 400, '-', '2001:db8:1:2::9/64'))).toEqual([
        network,
      ]);
    });

    it('ignores addresses that a client injects into the log', async () => {
      const victim = '198.51.100.1';
      const forged = [
        request(`GET /${victim} - - [${day}] HTTP/1.1`, 404),
        request('GET / HTTP/1.1', 404, `${victim} - - [${day}]`),
        request(String.raw`\x0A${victim} - - [${day}] \x22GET /\x22 404`, 400),
      ];
      for (const line of forged) expect(await found('scan', line)).not.toContain(victim);
    });

    /**
     * Returns the failures that fail2ban finds in sshd's log, with the ignore rules of our jail.
     */
    async function seenOfSsh(...messages: string[]): Promise<string[]> {
      const lines = messages.map((message) => `Nov 21 07:35:30 server sshd[812]: ${message}\n`);
      await writeFile(join(folder, 'ssh.log'), lines.join(''));
      const [, ignored = ''] = /^ignoreregex = (.+)$/m.exec(jails) ?? [];
      const args = ['--out', 'ip', '/mnt/ssh.log', 'sshd[mode=aggressive]', ignored];
      const { output } = await inChroot(given[suite], { folder, command: 'fail2ban-regex', args });
      return output.split('\n').filter((line) => line === '203.0.113.9');
    }

    it.each([
      [
        'a client that disconnects without a key',
        'Connection closed by authenticating user root 203.0.113.9 port 40022 [preauth]',
      ],
      ['a client that guesses user names', 'Invalid user admin from 203.0.113.9 port 40022'],
      [
        'a client without a current algorithm',
        'Unable to negotiate with 203.0.113.9 port 40022: no matching key exchange method found. Their offer: diffie-hellman-group1-sha1 [preauth]',
      ],
      [
        'a client whose disconnect message imitates a bare connection',
        'Received disconnect from 203.0.113.9 port 40022:14: No authentication methods available: Connection closed by 203.0.113.9 port 1 [preauth]',
      ],
    ])("counts in sshd's log: %s", async (_what, message) => {
      expect(await seenOfSsh(message)).toEqual(['203.0.113.9']);
    });

    it.each([
      [
        'a monitor that only connects',
        'error: kex_exchange_identification: Connection closed by remote host',
        'Connection closed by 203.0.113.9 port 40022',
      ],
      [
        'a client that resets the connection',
        'error: kex_exchange_identification: read: Connection reset by peer',
        'Connection reset by 203.0.113.9 port 40022',
      ],
      [
        'ssh-keyscan',
        'Connection closed by 203.0.113.9 port 40022 [preauth]',
        'Unable to negotiate with 203.0.113.9 port 40022: no matching host key type found. Their offer: sk-ssh-ed25519@openssh.com [preauth]',
      ],
    ])("does not count in sshd's log: %s", async (_what, ...messages) => {
      expect(await seenOfSsh(...messages)).toEqual([]);
    });

    it('counts root once, with the key restrictions of cloud images', async () => {
      const refused = 'ROOT LOGIN REFUSED FROM 203.0.113.9 port 40022';
      const key = 'ED25519 SHA256:bQaK6NgUJzZTwdsZrh+KVP8uIc3MNKixHXOj9mudTPE';
      const messages = [
        'Postponed publickey for root from 203.0.113.9 port 40022 ssh2 [preauth]',
        refused,
        `Failed publickey for root from 203.0.113.9 port 40022 ssh2: ${key}`,
        `${refused} [preauth]`,
        'Connection closed by authenticating user root 203.0.113.9 port 40022 [preauth]',
      ];
      expect(await seenOfSsh(...messages)).toEqual(['203.0.113.9']);
    });
  });
}
