import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  backupStateFile,
  installedMark,
  reportFile,
  siteFile,
  stoppedFile,
  troublesFile,
  updateStateFile,
} from '#contract/server-paths.ts';
import { setLanguage } from '#contract/text/language.ts';
import { overviewRows } from '../../../../appliance/commands/daily/show-overview.ts';
import { smallSite } from '../../context.ts';
import { withoutSpace, withSpace } from '../../disk-settings.ts';
import { goodReport } from '../../stages/report/fixture.ts';
import { TemporaryHost } from '../../temporary-host.ts';

afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
});

const healthy = ['engine', 'ui', 'tinyproxy', 'gateway'].map(
  (name) => `${name}\trunning\tFalse\tUp 5 minutes (healthy)`,
);
const at = '2026-11-25T02:10:00.000Z';
const none = { name: 'x', channel: null, withdrawn: null, failures: [], announced: [] };
const files = {
  ...withSpace,
  [siteFile]: JSON.stringify(smallSite),
  [installedMark]: '1.2.0\n',
};

async function linesOf(given: Readonly<Record<string, string>> = files, docker = healthy) {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  const host = TemporaryHost.with(given, { 'docker ps': docker.join('\n') });
  return (await overviewRows(host)).map(({ text }) => text);
}

describe('landfall without arguments', () => {
  it('recommends the doctor first if the chat has no model', async () => {
    const report = JSON.stringify({ ...goodReport, lacksModel: true });
    const lines = await linesOf({ ...files, [reportFile.json]: report });
    expect(lines.find((line) => line.startsWith('  '))).toMatch(/doctor +the chat has no model/);
  });

  it('shows five lines and three commands', async () => {
    expect(await linesOf()).toEqual([
      'stack     up, 4 components',
      'release   1.2.0; no check for newer ones',
      'backup    none: the site has no `backup`',
      'alerts    none',
      'warnings  none',
      '',
      expect.stringMatching(/^ {2}landfall report {2,}/),
      expect.stringMatching(/^ {2}sudo landfall logs {2,}/),
      expect.stringMatching(/^ {2}landfall help {2,}/),
    ]);
  });

  it('shows the same lines in Chinese', async () => {
    setLanguage('zh');
    expect((await linesOf()).slice(0, 5)).toEqual([
      '组件  正常，4 个组件',
      '版本  1.2.0；未检查新版本',
      '备份  无：站点没有 `backup`',
      '告警  无',
      '警告  无',
    ]);
  });

  it('names the component that is down, and doctor first', async () => {
    const lines = await linesOf(files, [...healthy.slice(1), 'engine\texited\tFalse\tExited (1)']);
    expect(lines[0]).toBe('stack     not up: engine');
    expect(lines[6]).toMatch(/^ {2}sudo landfall doctor/);
  });

  it('names a stopped component, and how to start it', async () => {
    const stopped = JSON.stringify({ schema: 1, stopped: { ui: at } });
    const rows = healthy.map((row) =>
      row.replace(/^ui\trunning\tFalse.*/, 'ui\texited\tFalse\tExited (0)'),
    );
    const lines = await linesOf({ ...files, [stoppedFile]: stopped }, rows);
    expect(lines[0]).toBe('stack     up, 3 components; stopped: ui');
    expect(lines[6]).toMatch(/^ {2}sudo landfall start ui/);
  });

  it('shows a newer release, the last backup, open alerts and a low disk', async () => {
    const offer = {
      ...{ kind: 'update', version: '1.3.0', created: at, notes: '', security: 'none' },
      ...{
        newest: '1.3.0',
        manifest: '',
        size: 1,
        part: null,
        urls: [],
        changes: null,
        pause: null,
      },
    };
    const { name: _, ...state } = none;
    const target = { created: at, lastGood: { at, snapshot: 'a', total: 1, added: 1 } };
    const trouble = { state: 'notice', subject: 'the disk is full', command: 'x', since: at };
    const lines = await linesOf({
      ...files,
      ...withoutSpace,
      [siteFile]: JSON.stringify({
        ...smallSite,
        backup: { to: [{ kind: 'folder', path: '/backup' }] },
      }),
      [updateStateFile]: JSON.stringify({ schema: 1, at, installed: '1.2.0', ...state, offer }),
      [backupStateFile]: JSON.stringify({
        ...{ schema: 1, isConfirmed: true },
        targets: { '/backup': target },
      }),
      [troublesFile]: JSON.stringify({ schema: 1, troubles: { 'disk /': trouble } }),
    });
    expect(lines[1]).toBe(
      'release   1.2.0; release 1.3.0 is available; sudo landfall update status',
    );
    expect(lines[2]).toBe('backup    2026-11-25 02:10 UTC to /backup');
    expect(lines[3]).toBe('alerts    the disk is full; landfall status');
    expect(lines[4]).toMatch(/^warnings {2}low disk space: .*; landfall report$/);
    expect(lines[6]).toMatch(/^ {2}sudo landfall update /);
  });

  it('does not recommend a release from which this server went back', async () => {
    const manifest = 'a'.repeat(64);
    const offer = {
      ...{ kind: 'update', version: '1.3.0', created: at, notes: '', security: 'none', manifest },
      ...{ newest: '1.3.0', size: 1, part: null, urls: [], changes: null, pause: null },
    };
    const ended = {
      ...{ at, id: 'one', kind: 'update', from: '1.2.0', to: '1.3.0', manifest, took: 1 },
      ...{ outcome: 'rolled-back', closed: null, keepsPrevious: true, reason: null },
    };
    const { name: _, ...state } = none;
    const lines = await linesOf({
      ...files,
      [updateStateFile]: JSON.stringify({ schema: 1, at, installed: '1.2.0', ...state, offer }),
      'var/lib/landfall/update/history.jsonl': `${JSON.stringify(ended)}\n`,
    });
    expect(lines[1]).toBe(
      'release   1.2.0; release 1.3.0 was rolled back on this server; sudo landfall update status',
    );
    expect(lines.join('\n')).not.toMatch(/sudo landfall update( |$)(?!status)/m);
  });

  it('says to other users which line needs sudo', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    const host = TemporaryHost.with(files);
    const [first, second] = await overviewRows(host);
    expect(first?.text).toBe('stack     shown to root only: sudo landfall');
    expect(second?.text).toContain('1.2.0');
    expect(host.ran).toEqual([]);
  });

  it('shows the first boot until it has ended', async () => {
    const lines = await linesOf({ 'run/landfall/bootstrap': '16 of 50 MB\n' });
    expect(lines).toEqual([
      'downloading the release: 16 of 50 MB',
      '',
      expect.stringContaining('landfall status --watch'),
      expect.stringContaining('landfall help'),
    ]);
  });
});
