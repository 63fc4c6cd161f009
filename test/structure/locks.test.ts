import { PassThrough } from 'node:stream';
import type { CommandUnknownOpts as Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { serverProgram } from '../../appliance/commands/program.ts';
import { textOf } from './sources.ts';

/** Commands that only read, or that change nothing of the server. */
const reading = `plan, access list, site show, site diff, site fields, site history, firewall list, credentials, secret list, ui users list, status, logs,
  probe hub, probe mirrors, smoke, report, tls status, route show, route export, route pac, update status, update history,
  backup status, backup key show, alert list, alert test, models list, models fit, engines list, engines show, engines test, node list,
  stack render, relay usage, editor check, completion, overview, serve-page, ssh-through-proxy`;

/** Commands that change one thing in one step, so that the last of two wins and nothing is lost. */
const atomic = {
  confirm: 'removes a pending undo, which systemd runs once (appliance/server/host/undo)',
  'route import': 'replaces one file',
  'route proxychains': 'replaces one file',
  'models pull': 'Ollama locks its store; it takes hours',
  'models remove': 'Ollama locks its store',
  'engines drain': 'one state in HAProxy',
  'engines resume': 'one state in HAProxy',
  'node drain': 'one state in Docker',
  'node resume': 'one state in Docker',
  'editor configure': "a user's own files",
  'editor remove': "a user's own files",
};

const site = 'appliance/commands/site/apply.ts';
const stack = 'appliance/commands/daily/change-stack.ts';
const backup = 'appliance/commands/backup';

/** The lock of every other command, and the file that takes it. */
const locked: Readonly<
  Record<
    string,
    readonly [lock: 'changes' | 'update' | 'update-check' | 'backup' | 'route-test', file: string]
  >
> = {
  'first-boot': ['changes', 'appliance/stages/first-boot.ts'],
  uninstall: ['changes', 'appliance/commands/uninstall/uninstall.ts'],
  'site apply': ['update', site],
  'site edit': ['update', site],
  'site set': ['update', site],
  'site add': ['update', site],
  'site remove': ['update', site],
  'site undo': ['update', site],
  'relay key add': ['update', site],
  'relay client': ['update', site],
  'relay key remove': ['update', site],
  'relay key rotate': ['changes', 'appliance/commands/secret/rotate.ts'],
  'firewall allow': ['changes', 'appliance/stages/firewall/change-opening.ts'],
  'firewall deny': ['changes', 'appliance/stages/firewall/change-opening.ts'],
  'firewall apply': ['changes', 'appliance/commands/firewall.ts'],
  'access add': ['changes', 'appliance/commands/access/change.ts'],
  'access remove': ['changes', 'appliance/commands/access/change.ts'],
  'secret set': ['changes', 'appliance/commands/secret/set.ts'],
  'secret rotate': ['changes', 'appliance/commands/secret/rotate.ts'],
  'ui users add': ['changes', 'appliance/commands/ui/locked-accounts.ts'],
  'ui password': ['changes', 'appliance/commands/ui/locked-accounts.ts'],
  restart: ['changes', stack],
  stop: ['changes', stack],
  start: ['changes', stack],
  doctor: ['changes', 'appliance/commands/doctor.ts'],
  'tls renew': ['changes', 'appliance/commands/tls.ts'],
  'route test': ['route-test', 'appliance/commands/route/test.ts'],
  'route on': ['changes', 'appliance/commands/route/command.ts'],
  'route off': ['changes', 'appliance/commands/route/command.ts'],
  'route redirect': ['changes', 'appliance/commands/route/redirect.ts'],
  'update install': ['update', 'appliance/commands/update/install.ts'],
  'update check': ['update-check', 'appliance/commands/update/command.ts'],
  'update download': ['update', 'appliance/commands/update/download.ts'],
  'update discard': ['update', 'appliance/commands/update/download.ts'],
  'update rollback': ['update', 'appliance/commands/update/undo.ts'],
  'update resume': ['update', 'appliance/commands/update/resume.ts'],
  'backup init': ['backup', `${backup}/init.ts`],
  'backup run': ['backup', `${backup}/run.ts`],
  'backup list': ['backup', `${backup}/show.ts`],
  'backup check': ['backup', `${backup}/run.ts`],
  'backup test': ['backup', `${backup}/test.ts`],
  'backup key new': ['backup', `${backup}/key.ts`],
  restore: ['backup', 'appliance/commands/restore/on-this-server.ts'],
  export: ['changes', 'appliance/commands/export/run.ts'],
  'node token': ['changes', 'appliance/commands/node/token.ts'],
  'node join': ['changes', 'appliance/commands/node/join.ts'],
  'node remove': ['changes', 'appliance/commands/node/change.ts'],
  'node leave': ['changes', 'appliance/commands/node/leave.ts'],
  // Called by the driver of an update, which holds the locks.
  'apply-release': ['update', 'appliance/operations/driver/apply.ts'],
  'apply-transaction': ['update', 'appliance/operations/driver/apply.ts'],
  'volume-task': ['update', 'appliance/operations/driver/apply.ts'],
};

function leavesOf(parent: Command, above: string): string[] {
  return parent.commands.flatMap((command) => {
    const path = `${above} ${command.name()}`.trim();
    const inner = leavesOf(command, path);
    return inner.length === 0 ? [path] : inner;
  });
}

describe('two commands at once', () => {
  it('knows for every command of the server whether it takes a lock', () => {
    const program = serverProgram({ stdout: new PassThrough(), stderr: new PassThrough() });
    const known = [...reading.split(/,\s*/), ...Object.keys(atomic), ...Object.keys(locked)];
    expect(known.sort()).toEqual(leavesOf(program, '').sort());
  });

  it.each(Object.entries(locked))('takes the lock of %s', (_command, [lock, file]) => {
    const calls =
      lock === 'changes'
        ? /(?:take|with)ChangeLock\(/
        : new RegExp(`(?:take|try|waitFor)RunLock\\(\\s*[\\w.]*host, '${lock}'`);
    expect(textOf(file)).toMatch(calls);
  });
});
