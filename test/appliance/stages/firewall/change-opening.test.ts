import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatOpening, parseOpening } from '#contract/site/opening.ts';
import { siteSchema } from '#contract/site/site.ts';
import {
  changeByHand,
  changeOpening,
  editSettings,
  readOpening,
  stillOpen,
} from '../../../../appliance/stages/firewall/change-opening.ts';
import type { FirewallSettings } from '../../../../appliance/stages/firewall/facts.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { firewallAnswers, sshAnswers, undoAnswers } from '../../answers.ts';
import { contextFor, smallSite } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const siteWith = (...allow: string[]) =>
  siteSchema.parse({
    release: ['https://example.com/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA'] },
    firewall: { allow },
  });

const tableFile = 'etc/landfall/firewall.nft';
const settingsFile = 'etc/landfall/firewall.json';
const defaults: Answers = {
  ...sshAnswers,
  ...undoAnswers,
  ...firewallAnswers,
};

function server(settings: object = {}, answers: Answers = {}) {
  const files = { [settingsFile]: JSON.stringify(settings), [tableFile]: renderTable(factsOf()) };
  const host = TemporaryHost.with(files, { ...defaults, ...answers });
  const change = async (kind: 'allow' | 'deny', text: string) => {
    const { unconfirmed, open } = await changeOpening(host, smallSite, kind, text);
    return { unconfirmed, open: open.map(formatOpening) };
  };
  const table = () => readFileSync(host.path(tableFile), 'utf8');
  const isUndoArmed = () => host.ran.some((line) => line.startsWith('systemd-run'));
  return { host, change, table, isUndoArmed };
}

describe('opening a port', () => {
  it('takes effect immediately', async () => {
    const { change, table, isUndoArmed } = server();
    expect(await change('allow', '8443/tcp')).toEqual({ unconfirmed: false, open: ['8443/tcp'] });
    expect(table()).toContain('tcp dport 8443 accept');
    expect(isUndoArmed()).toBe(false);
  });

  it.each(['22', '22/tcp', '443'])(
    'changes nothing for %s, which is open already',
    async (text) => {
      const { host, table } = server();
      const before = table();
      const { open, isSame } = await changeOpening(host, smallSite, 'allow', text);
      expect({ open: open.map(formatOpening), isSame }).toEqual({
        open: [`${text.split('/')[0]}/tcp`],
        isSame: true,
      });
      expect([table(), host.ran.filter((line) => line.startsWith('nft'))]).toEqual([before, []]);
    },
  );

  it('asks for the protocol of a port that is not open', async () => {
    await expect(server().change('allow', '8443')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('keeps both of two ports that are opened at once', async () => {
    const { change, table } = server();
    await Promise.all([change('allow', '8443/tcp'), change('allow', '9443/tcp')]);
    expect(table()).toContain('tcp dport 8443 accept');
    expect(table()).toContain('tcp dport 9443 accept');
  });

  // Regression: sshd was not restarted after a change of its settings, and its real port was closed.
  it('does not close the port that sshd still listens on', async () => {
    const { change, table } = server(
      {},
      {
        '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:2222\n',
        'systemctl show --property=MainPID': '501\n',
        ss: 'LISTEN 0 128 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=501,fd=3))\n',
      },
    );
    expect(await change('allow', '8443/tcp')).toMatchObject({ unconfirmed: false });
    expect(table()).toContain('tcp dport 22 accept');
  });

  it('requires a confirmation if it also closes a port that sshd no longer uses', async () => {
    const { change, isUndoArmed } = server(
      {},
      { '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:2222\n' },
    );
    expect(await change('allow', '8443/tcp')).toMatchObject({ unconfirmed: true });
    expect(isUndoArmed()).toBe(true);
  });
});

describe('closing a port', () => {
  it('reverts the closing of a port automatically unless it is confirmed', async () => {
    const { change, table, isUndoArmed } = server();
    expect(await change('deny', '80/tcp')).toEqual({ unconfirmed: true, open: [] });
    expect(table()).not.toContain('tcp dport 80 accept');
    expect(isUndoArmed()).toBe(true);
  });

  // Regression: it blocked further changes until a confirmation or the undo after five minutes.
  it('needs no confirmation if the port is closed already', async () => {
    const { change, isUndoArmed } = server();
    expect(await change('deny', '9000/tcp')).toEqual({ unconfirmed: false, open: [] });
    expect(isUndoArmed()).toBe(false);
  });

  it('reports a port that stays open because of another entry or SSH', async () => {
    const { change } = server({ allow: ['20-30/tcp', '25-26/tcp'] });
    expect((await change('deny', '20-30/tcp')).open).toEqual(['22/tcp', '25-26/tcp']);
  });
});

describe('a manual firewall change', () => {
  it.each([
    ['takes effect immediately if it closes no port', factsOf(), false],
    ['requires a confirmation if it closes a port', factsOf(['80/tcp']), true],
  ])('%s', async (_what, facts, waits) => {
    const { host, isUndoArmed } = server();
    expect(await changeByHand(host, { facts })).toBe(waits);
    expect(isUndoArmed()).toBe(waits);
  });
});

describe('the port of an engine node', () => {
  const { site } = contextFor(TemporaryHost.with({}), {
    site: {
      role: 'engine-node',
      engine_node: {
        client_ca: new CertificateAuthority('first').cert,
        clients: ['203.0.113.20'],
      },
    },
  });
  const change = (kind: 'allow' | 'deny', text: string, before: Partial<FirewallSettings> = {}) => {
    const opening = readOpening(text);
    const settings = { allow: [], deny: [], ...before };
    return editSettings(settings, { kind, opening }, { site, ssh: [22] });
  };

  it('closes the port of an engine node for all clients, and reopens it for these', () => {
    const closed = { allow: [], deny: ['11443/tcp'] };
    expect(change('deny', '11443/tcp')).toEqual(closed);
    expect(change('allow', '11443/tcp', closed)).toEqual({ allow: [], deny: [] });
    expect(change('allow', '11443/tcp')).toEqual({ allow: [], deny: [] });
  });

  it('returns for which clients the port is open', async () => {
    const host = TemporaryHost.with({}, defaults);
    const { open, unconfirmed } = await changeOpening(host, site, 'allow', '11443/tcp');
    expect(open.map(formatOpening)).toEqual(['11443/tcp from 203.0.113.20']);
    expect(unconfirmed).toBe(false);
  });

  it('rejects a range with the port, which would open it for everyone', () => {
    expect(() => change('allow', '11000-12000/tcp', { deny: ['11443/tcp'] })).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining('11443/tcp, which is open for the clients'),
        hint: expect.stringContaining('engine_node.clients'),
      }),
    );
    expect(change('allow', '11000-12000/udp').allow).toEqual(['11000-12000/udp']);
  });

  it('names the port in the advice to close a range with it', () => {
    expect(() => change('deny', '11000-12000/tcp')).toThrowError(
      expect.objectContaining({ hint: expect.stringMatching(/deny 11443\/tcp$/) }),
    );
  });
});

type Request = [string, 'allow' | 'deny', string, Partial<FirewallSettings>, FirewallSettings];
const requests: readonly Request[] = [
  ['opens a port', 'allow', '9000/tcp', {}, { allow: ['9000/tcp'], deny: [] }],
  [
    'opens a port only once',
    'allow',
    '9000/tcp',
    { allow: ['9000/tcp'] },
    { allow: ['9000/tcp'], deny: [] },
  ],
  ['closes an opened port', 'deny', '9000/tcp', { allow: ['9000/tcp'] }, { allow: [], deny: [] }],
  ['closes a default port', 'deny', '80/tcp', {}, { allow: [], deny: ['80/tcp'] }],
  ['closes a port of the site', 'deny', '8443/tcp', {}, { allow: [], deny: ['8443/tcp'] }],
  ['reopens a default port', 'allow', '80/tcp', { deny: ['80/tcp'] }, { allow: [], deny: [] }],
  [
    'accepts both range separators',
    'deny',
    '5:7/udp',
    { allow: ['5-7/udp'] },
    { allow: [], deny: [] },
  ],
];

describe('a request of the administrator', () => {
  const request = (
    kind: 'allow' | 'deny',
    text: string,
    before: Partial<FirewallSettings> = {},
  ) => {
    const opening = parseOpening(text);
    if (!opening) throw new Error(text);
    const site = siteWith('8443/tcp');
    const settings = { allow: [], deny: [], ...before };
    return editSettings(settings, { kind, opening }, { site, ssh: [22, 2222] });
  };

  it('removes an entry as it was added, even if it includes a port of SSH', () => {
    expect(request('deny', '20-30/tcp', { allow: ['20-30/tcp'] })).toEqual({ allow: [], deny: [] });
  });

  // Regression: the output was "is closed" while the range stayed open.
  it.each([
    ['6005/tcp', '6000-6010/tcp'],
    ['5990-6003/tcp', '6000-6010/tcp'],
    ['8000-9000/tcp', '8443/tcp'],
  ])('cannot close %s if is only a part of an entry, or more than one', (text, entry) => {
    expect(() => request('deny', text, { allow: ['6000-6010/tcp'] })).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining(entry),
        hint: expect.stringContaining(`deny ${entry}`),
      }),
    );
  });

  it('may close a port that is already closed', () => {
    expect(request('deny', '6005/udp', { allow: ['6000-6010/tcp'] })).toEqual({
      allow: ['6000-6010/tcp'],
      deny: [],
    });
  });

  it('removes an entry, and reports which entries keep its ports open', () => {
    const before = { allow: ['6000-6010/tcp', '6005/tcp'] };
    expect(request('deny', '6005/tcp', before)).toEqual({ allow: ['6000-6010/tcp'], deny: [] });
    const opening = { first: 20, last: 30, protocol: 'tcp' } as const;
    const open = { ssh: [22], openings: [{ ...opening, first: 30, last: 31 }] };
    expect(stillOpen(opening, open).map(formatOpening)).toEqual(['22/tcp', '30-31/tcp']);
  });

  it.each(requests)('%s', (_what, kind, text, before, after) => {
    expect(request(kind, text, before)).toEqual(after);
  });

  it.each(['22/tcp', '2222/tcp', '1-65535/tcp'])('never closes SSH: %s', (text) => {
    expect(() => request('deny', text)).toThrowError(
      expect.objectContaining({
        code: 'USAGE',
        hint: expect.stringContaining('Move sshd to another port'),
      }),
    );
  });

  it.each([undefined, '', 'ssh', '8443', '99999/tcp'])(
    'rejects a request of the administrator without a valid port: %s',
    (text) => {
      expect(() => readOpening(text)).toThrowError(
        expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('8443/tcp') }),
      );
    },
  );
});
