import { describe, expect, it, vi } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { setLanguage } from '#contract/text/language.ts';
import { describeCredentials } from '../../../appliance/commands/credentials.ts';
import { stackCredentials } from '../../../appliance/stages/secrets/secret-values.ts';
import { consoleCredentials } from '../../../appliance/stages/users/console-password.ts';
import { chkpwd } from '../answers.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { landfall } from './landfall.ts';

const site = siteSchema.parse({
  release: ['https://example.com/'],
  admin: { user: 'ops', ssh_keys: ['ssh-ed25519 AAAA'] },
});
const passwd = 'ops:x:1001:1001::/home/ops:/bin/bash\n';

describe('landfall credentials', () => {
  it('shows titles and values in columns', () => {
    const text = describeCredentials([
      { title: 'Console', name: 'console-password', value: 'bcd', note: 'It is old.' },
      { title: 'Chat UI, administrator', name: 'WEBUI_ADMIN_PASSWORD', value: 'xyz' },
    ]);
    expect(text).toBe(
      [
        'Console                 bcd',
        '                        (It is old.)',
        'Chat UI, administrator  xyz',
      ].join('\n'),
    );
  });

  it('shows the email address of the chat above its password', () => {
    const credential = { title: 'Chat UI', name: 'WEBUI_ADMIN_PASSWORD', value: 'xyz' };
    expect(describeCredentials([{ ...credential, login: 'ops@localhost' }])).toBe(
      ['Chat UI, email     ops@localhost', 'Chat UI, password  xyz'].join('\n'),
    );
  });

  it('prints the titles of credentials in Chinese on a server whose language is Chinese', () => {
    setLanguage('zh');
    try {
      const chat = {
        title: 'Chat UI',
        name: 'WEBUI_ADMIN_PASSWORD',
        value: 'xyz',
        login: 'me@e.cn',
      };
      const proxy = { title: 'HTTP proxy, user', name: 'TINYPROXY_USERNAME', value: 'abc' };
      expect(describeCredentials([chat, proxy])).toMatch(
        /^聊天界面管理员，邮箱 +me@e\.cn\n聊天界面管理员，密码 +xyz\nHTTP 代理的用户名 +abc$/,
      );
    } finally {
      setLanguage('en');
    }
  });

  it.each([
    [undefined, 'ops@localhost'],
    ['me@example.com', 'me@example.com'],
  ])('names the login of the chat for admin.email %s', async (email, login) => {
    const host = TemporaryHost.with({ 'etc/landfall/secrets/WEBUI_ADMIN_PASSWORD': 'xyz\n' });
    const shown = await stackCredentials(host, { ...site, admin: { ...site.admin, email } });
    expect(shown).toEqual([
      { title: 'Chat UI, administrator', name: 'WEBUI_ADMIN_PASSWORD', value: 'xyz', login },
    ]);
  });

  it('shows a message if there are no credentials yet', () => {
    expect(describeCredentials([])).toContain('landfall status');
  });

  it('shows the console password', async () => {
    const files = { 'etc/landfall/secrets/console-password': 'bcdfg\n' };
    const host = TemporaryHost.with(files, { 'getent passwd ops': passwd, [chkpwd]: 0 });
    expect(await consoleCredentials(host, site)).toEqual([
      { title: 'Console of the server, user ops', name: 'console-password', value: 'bcdfg' },
    ]);
    expect(host.ran.join('\n')).not.toContain('bcdfg');
    expect(host.inputs).toEqual(['bcdfg\0']);
  });

  it('notes that the console password was changed', async () => {
    const files = { 'etc/landfall/secrets/console-password': 'bcdfg\n' };
    const answers = { 'getent passwd ops': passwd, [chkpwd]: 7 };
    const [console] = await consoleCredentials(TemporaryHost.with(files, answers), site);
    expect(console?.note).toContain('changed');
  });

  it('shows the credentials of the stack without internal secrets', async () => {
    const host = TemporaryHost.with({
      'etc/landfall/secrets/WEBUI_ADMIN_PASSWORD': 'admin-password\n',
      'etc/landfall/secrets/WEBUI_SECRET_KEY': 'signing-key\n',
    });
    const shown = await stackCredentials(host, site);
    expect(shown.map(({ name }) => name)).toContain('WEBUI_ADMIN_PASSWORD');
    expect(JSON.stringify(shown)).not.toContain('signing-key');
  });

  it('writes to a pipe only with --json', async () => {
    const { isTTY } = process.stdout;
    process.stdout.isTTY = false;
    try {
      vi.spyOn(process, 'getuid').mockReturnValue(0);
      expect(await landfall('credentials')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('sudo landfall credentials --json'),
      });
    } finally {
      vi.restoreAllMocks();
      process.stdout.isTTY = isTTY;
    }
  });
});
