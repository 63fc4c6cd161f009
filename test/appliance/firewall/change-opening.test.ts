import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatOpening } from '#contract/site/opening.ts';
import { changeByHand, changeOpening } from '../../../appliance/firewall/change-opening.ts';
import { renderTable } from '../../../appliance/firewall/render-table.ts';
import { firewallAnswers, sshAnswers, undoAnswers } from '../answers.ts';
import { smallSite } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const tableFile = 'etc/landfall/firewall.nft';
const settingsFile = 'etc/landfall/firewall.json';
const usual: Answers = {
  ...sshAnswers,
  ...undoAnswers,
  ...firewallAnswers,
};

function server(settings: object = {}, answers: Answers = {}) {
  const files = { [settingsFile]: JSON.stringify(settings), [tableFile]: renderTable(factsOf()) };
  const host = TemporaryHost.with(files, { ...usual, ...answers });
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
  it('is reverted automatically unless it is confirmed', async () => {
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
