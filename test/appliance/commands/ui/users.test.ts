import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { setTimeZone } from '#contract/text/time-zone.ts';
import { describeUsers, showUsers } from '../../../../appliance/commands/ui/users.ts';
import { uiServer } from './ui-server.ts';

let data: string;
let printed: string[];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'landfall-users-'));
  printed = [];
  setTimeZone('Etc/UTC');
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
  setTimeZone(undefined);
  rmSync(data, { recursive: true });
});

/** A server with accounts of each role. */
async function filled() {
  const server = await uiServer(data);
  await server.ui.addUser('eve');
  server.sql(`UPDATE user SET last_active_at = 1764000000, created_at = created_at - 1 WHERE role = 'admin';
    UPDATE user SET role = 'pending', last_active_at = NULL, name = 'E' || char(27) || '[31mve' || char(10)
      WHERE name = 'eve'`);
  return server;
}

describe('landfall ui users', () => {
  it('lists email, name, role and last activity, the oldest account first', async () => {
    await showUsers((await filled()).context);
    expect(printed).toEqual([
      [
        'EMAIL            NAME   ROLE                LAST ACTIVITY',
        'ops@example.org  Admin  administrator       2025-11-24 16:00 Etc/UTC',
        'eve@example.org  Eve    waits for approval  -',
      ].join('\n'),
    ]);
  });

  it('prints objects with --json, without what a session needs', async () => {
    await showUsers((await filled()).context, true);
    const [first, second] = JSON.parse(printed.join('\n'));
    expect(first).toEqual({
      ...{ email: 'ops@example.org', name: 'Admin', role: 'admin' },
      last_active: '2025-11-24T16:00:00.000Z',
    });
    expect(second).toMatchObject({ role: 'pending', last_active: null });
    expect(printed.join('\n')).not.toContain('stamp');
  });

  it('speaks Chinese, and names no accounts', () => {
    setLanguage('zh');
    const account = { id: '1', email: 'a@b.cn', name: 'A', stamp: null, lastActive: 8.7e15 };
    expect(describeUsers([{ ...account, role: 'user' }])).toMatch(/\na@b\.cn +A +用户 +-$/);
    expect(describeUsers([{ ...account, role: 'odd' }])).toContain('odd');
    expect(describeUsers([])).toBe('聊天界面没有账户。');
  });
});
