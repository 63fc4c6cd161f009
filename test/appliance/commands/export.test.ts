import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { exportServer } from '../../../appliance/commands/export/run.ts';
import { readAccounts } from '../../../appliance/server/chats/accounts.ts';
import { secretKey, UiRig } from '../../stand-ins/ui/ui-rig.ts';
import { contextFor } from '../context.ts';
import { portOf } from '../shared/smoke/closing-servers.ts';
import { TemporaryHost } from '../temporary-host.ts';

let above: string;
let printed: string[];
let progress: string[];
beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'landfall-export-'));
  [printed, progress] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => progress.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
  process.exitCode = undefined;
  rmSync(above, { recursive: true });
});

/** A server whose chat UI has a chat and a document. */
async function server(volume: string | number = '"/volumes/landfall_ui-data/_data"') {
  const data = join(above, 'data');
  const ui = await UiRig.start(data);
  const token = await ui.signIn();
  await ui.chat(token, 'Herons?');
  await ui.upload(token, 'notes.txt', 'A note.');
  const host = TemporaryHost.with(
    { 'etc/landfall/site.json': '{"a":1}', 'etc/landfall/secrets/WEBUI_SECRET_KEY': secretKey },
    {
      'docker volume inspect': volume,
      'systemctl stop landfall-volume-task.service': 5,
      'systemd-run': () => JSON.stringify(readAccounts(data)),
      'sync --file-system': '',
    },
  );
  return { data, ...contextFor(host, { site: { ports: { ui: await portOf(ui.app) } } }), host };
}

const target = () => join(above, 'out');

describe('landfall export', () => {
  it('exports as the accounts of the server, and prints a summary', async () => {
    const facts = await server();
    await exportServer(facts, target());
    expect(printed).toEqual([
      expect.stringMatching(
        new RegExp(`^Exported 1 chats and 1 documents of 1 accounts to ${target()}: .+ kB\\.$`),
      ),
    ]);
    expect(progress).toEqual(['ops@example.org: 1 chats\n']);
    expect(readFileSync(join(target(), 'site.json'), 'utf8')).toBe('{"a":1}');
    const { ran } = facts.host;
    const task = ran.find((line) => line.startsWith('systemd-run'));
    expect(task).toMatch(/ volume-task accounts \/volumes\/landfall_ui-data export$/);
    expect(ran.at(-1)).toBe(`sync --file-system ${target()}.part`);
    expect(ran.join('\n')).not.toContain(secretKey);
  });

  it('speaks Chinese', async () => {
    setLanguage('zh');
    await exportServer(await server(), target());
    expect(printed[0]).toMatch(/^已把 1 个账户的 1 个对话和 1 个文档导出到 /);
    expect(readFileSync(join(target(), 'README.txt'), 'utf8')).toContain('每个账户有一个目录');
  });

  it('prints one object with --json', async () => {
    await exportServer(await server(), target(), true);
    expect(JSON.parse(printed.join('\n'))).toEqual({
      ...{ folder: target(), accounts: 1, chats: 1, documents: 1 },
      ...{ size: expect.any(Number), problems: [] },
    });
    expect(process.exitCode).toBeUndefined();
  });

  it('fails with everything that could not be read, and keeps the rest', async () => {
    const { data, ...facts } = await server();
    new DatabaseSync(join(data, 'webui.db')).exec("UPDATE file SET path = '/missing'");
    const problem = expect.stringMatching(
      /^ops@example.org: document .+: status 404 instead of 200$/,
    );
    await expect(exportServer(facts, target())).rejects.toMatchObject({
      code: 'EXPORT_INCOMPLETE',
      problems: [{ message: problem }],
    });
    expect(printed[0]).toContain('Exported 1 chats and 0 documents');
    expect(existsSync(join(target(), 'README.txt'))).toBe(true);
    await exportServer(facts, join(above, 'second'), true);
    expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ chats: 1, problems: [problem] });
    expect(process.exitCode).toBe(11);
  });

  it('rejects a server without a chat UI, and a folder with files', async () => {
    await expect(exportServer(await server(1), target())).rejects.toMatchObject({
      code: 'STATE_INVALID',
    });
    await expect(exportServer(await server(), above)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    });
  });
});
