import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, vi } from 'vitest';
import { readAccounts } from '../../../../appliance/server/chats/accounts.ts';
import { secretKey, UiRig } from '../../../stand-ins/ui/ui-rig.ts';
import { contextFor } from '../../context.ts';
import { portOf } from '../../shared/smoke/closing-servers.ts';
import { TemporaryHost } from '../../temporary-host.ts';

export const secretsFolder = 'etc/landfall/secrets';
const email = 'ops@example.org';

/** Gives each test of a file a terminal: a folder for the server, what is printed, and what is typed. */
export function withTerminal(typed: { values: string[] }) {
  const [stdout, stdin] = [process.stdout.isTTY, process.stdin.isTTY];
  const terminal = {
    data: '',
    printed: [] as string[],
    /** Returns the password that was printed. */
    password: (): string => /Chat UI, password +(\S+)/.exec(terminal.printed.join('\n'))?.[1] ?? '',
  };
  beforeEach(() => {
    terminal.data = mkdtempSync(join(tmpdir(), 'landfall-ui-'));
    terminal.printed = [];
    process.stdout.isTTY = true;
    process.stdin.isTTY = true;
    vi.spyOn(console, 'log').mockImplementation((line) => void terminal.printed.push(String(line)));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    typed.values = [];
    process.stdout.isTTY = stdout;
    process.stdin.isTTY = stdin;
    rmSync(terminal.data, { recursive: true });
  });
  return terminal;
}

/** A server with a chat UI, whose oldest account is the administrator of the site. @param data its folder */
export async function uiServer(data: string, key = secretKey) {
  const ui = await UiRig.start(data);
  const host = TemporaryHost.with(
    {
      [`${secretsFolder}/WEBUI_SECRET_KEY`]: key,
      [`${secretsFolder}/WEBUI_ADMIN_PASSWORD`]: 'the-password\n',
      [`${secretsFolder}/TINYPROXY_USERNAME`]: 'user\n',
      [`${secretsFolder}/TINYPROXY_PASSWORD`]: 'password\n',
    },
    {
      'docker volume inspect': '"/volumes/landfall_ui-data/_data"',
      'systemctl stop landfall-volume-task.service': 5,
      'systemd-run': () => JSON.stringify(readAccounts(data)),
      'ip -json address': '[]',
      'nvidia-smi': 127,
      'nvidia-container-cli': 127,
      'docker version': '1.51',
      'docker info': '{"CpuCfsPeriod":true,"CpuCfsQuota":true}',
    },
  );
  const admin = { user: 'ops', email, ssh_keys: ['ssh-ed25519 AAAA me@laptop'] };
  const site = { admin, ports: { ui: await portOf(ui.app) } };
  const sql = (statements: string) => {
    using database = new DatabaseSync(join(data, 'webui.db'));
    database.exec(statements);
  };
  return { ui, host, sql, context: contextFor(host, { site }) };
}
