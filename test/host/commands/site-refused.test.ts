import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { keys } from '../../pty/terminal.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { useChangedServer } from './changed-server.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'registry', 'composePlugin');

const siteFile = '/etc/landfall/site.json';
const textFile = '/etc/landfall/site.yaml';

/** `site.test.ts` has the changes that are applied. */
given.describe(`refused changes of the site of ${distribution}`, () => {
  const server = useChangedServer(given, distribution);
  beforeAll(async () => {
    // Something that can be undone without a new login.
    await run('landfall site set upgrades.reboot 03:30 --yes');
  });
  const output = (command: string) => server().host.output(command);
  const run = (command: string) => server().host.run(`${command} 2>&1`, { limit: 900 });

  it.each([
    ['set', 'site set timezone Asia/Shanghai'],
    ['add', 'site add firewall.allow 8445/tcp'],
    ['remove', 'site remove hosts.relay'],
    ['undo', 'site undo'],
  ])('keeps the site after a wrong answer to site %s', async (_name, command) => {
    const before = await output(`cat ${siteFile} ${textFile}`);
    const terminal = server().start(command);
    await terminal.shows('Apply it? [y/N]');
    terminal.type(`perhaps${keys.enter}`);
    expect(await terminal.end()).toMatchObject({
      status: 0,
      text: expect.stringContaining('Nothing was changed.'),
    });
    expect(await output(`cat ${siteFile} ${textFile}`)).toBe(before);
  });

  it.each([
    ['of a new server', 'admin.user other', 'can only be set on a new server'],
    ['that the site does not have', 'host.ui chat.example.com', 'host'],
    ['of another type', 'ports.ui eighty', 'ports.ui'],
    ['with the name of another component', 'hosts.chat chat.example.com', 'hosts.'],
    ['with a model that does not exist', 'models [none:9b]', 'none:9b'],
  ])('refuses a field %s, and changes nothing', async (_what, change, words) => {
    const before = await output(`cat ${siteFile}`);
    const { exitCode, stdout } = await run(`landfall site set ${change} --yes`);
    expect({ exitCode, stdout }).not.toMatchObject({ exitCode: 0 });
    expect(stdout).toContain(words);
    expect(await output(`cat ${siteFile}`)).toBe(before);
    expect(await output('landfall update status')).not.toContain('applying');
  });

  it('refuses the port of another program, and names the program', async () => {
    await output('systemd-run --unit=taken python3 -m http.server --bind 127.0.0.1 3999');
    await server().host.waitFor('ss -ltn | grep -q :3999', 30);
    const { exitCode, stdout } = await run('landfall site set ports.ui 3999 --yes');
    expect({ exitCode, stdout }).not.toMatchObject({ exitCode: 0 });
    expect(stdout).toContain('port 3999 (ports.ui) is already used by python3');
    expect(stdout).toContain('Nothing was changed.');
    await output('systemctl stop taken');
  });

  describe('in an editor', () => {
    const edit = async (script: string) => {
      await server().host.put('/root/editor', `#!/bin/sh\n${script}\n`, '0755');
      return server().start('site edit', ['EDITOR=/root/editor']);
    };

    it('writes problems beside the lines, and keeps the text of a user who leaves', async () => {
      const before = await output(`cat ${textFile}`);
      const terminal = await edit(
        'grep -q "^#!" "$1" && cp "$1" /root/seen || sed -i "s/^timezone.*//; s/^hosts:/host:/" "$1"',
      );
      await terminal.shows('Edit again? [Y/n]');
      terminal.type(`y${keys.enter}`);
      await terminal.shows('Edit again? [Y/n]');
      terminal.type(`n${keys.enter}`);
      const { status, text } = await terminal.end();
      expect({ status, text }).toMatchObject({ text: expect.stringContaining('refused.yaml') });
      expect(status).not.toBe(0);
      expect(await output('cat /root/seen')).toMatch(/^host:\n#! .*host/m);
      expect(await output('cat /var/lib/landfall/sites/refused.yaml')).toMatch(/^host:/m);
      expect(await output(`cat ${textFile}`)).toBe(before);
      expect(await output('ls /tmp')).not.toContain('landfall-site-');
    });

    it.each([
      ['changes nothing', 'true', 0, 'Nothing was changed.'],
      ['fails', 'exit 3', undefined, 'failed with exit code 3'],
    ])('ends if the editor %s', async (_what, script, code, words) => {
      const terminal = await edit(script);
      const { status, text } = await terminal.end();
      expect(text).toContain(words);
      if (code === 0) expect(status).toBe(0);
      else expect(status).not.toBe(0);
    });

    it('keeps the site after a wrong answer', async () => {
      const before = await output(`cat ${textFile}`);
      const terminal = await edit('echo "timezone: Asia/Shanghai" >>"$1"');
      await terminal.shows('Apply it? [y/N]');
      terminal.type(`perhaps${keys.enter}`);
      const { text } = await terminal.end();
      expect(text).toContain('Nothing was changed.');
      expect(text).toContain('Your text is in /var/lib/landfall/sites/refused.yaml.');
      expect(await output('cat /var/lib/landfall/sites/refused.yaml')).toContain('Asia/Shanghai');
      expect(await output(`cat ${textFile}`)).toBe(before);
    });

    it('saves a comment without a change of the server', async () => {
      const terminal = await edit('echo "# Our server." >>"$1"');
      expect(await terminal.end()).toMatchObject({
        status: 0,
        text: expect.stringContaining('The sites are the same.'),
      });
      expect(await output(`cat ${textFile}`)).toContain('# Our server.');
      expect(await output('landfall site show')).toContain('# Our server.');
    });
  });

  it.each([
    ['an empty file', ''],
    ['tabs', 'hosts:\n\tui: a.example.com\n'],
    ['two documents', `${stringify({ timezone: 'UTC' })}---\n${stringify({ timezone: 'UTC' })}`],
    [
      'an anchor bomb',
      `a: &a [x]\n${[...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]},`.repeat(9)}]\n`).join('')}`,
    ],
    ['a megabyte', `# ${'x'.repeat(1 << 20)}\n`],
    ['bytes that are not UTF-8', Buffer.from([0x68, 0xff, 0xfe, 0x0a])],
  ])('refuses %s with one error, and changes nothing', async (_what, content) => {
    await server().host.put('/root/bad.yaml', content);
    const { exitCode, stdout } = await run('timeout 20 landfall site apply --yes /root/bad.yaml');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 3 });
    expect(stdout).toMatch(/CONFIG_\w+/);
  });
});
