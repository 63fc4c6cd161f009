import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installedMark } from '#contract/server-paths.ts';
import { chosenSecrets, rotateSecrets } from '../../../../appliance/commands/secret/rotate.ts';
import { Journal } from '../../../../appliance/server/stage/journal.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { landfall } from '../landfall.ts';

const folder = 'etc/landfall/secrets';
const everything = {
  providers: { openai: { base_url: 'https://api.openai.com/v1' } },
  components: { chat: true },
  relay: { keys: ['phone'] },
  socks: { listen: '10.8.0.1', allow: ['10.8.0.0/24'], username: 'me' },
};

const siteOf = (site: object = everything) =>
  contextFor(TemporaryHost.with({}), { site: { ...site } }).site;
const namesOf = (...args: Parameters<typeof chosenSecrets>) =>
  chosenSecrets(...args).map(({ name }) => name);

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

describe('the choice of secrets to replace', () => {
  it('includes all generated secrets in use, without the signing key and the password of an account', () => {
    expect(namesOf(siteOf(), [], true)).toEqual([
      ...['CHAT_ACCESS_CODE', 'TINYPROXY_USERNAME', 'TINYPROXY_PASSWORD', 'SOCKS_PASSWORD'],
      ...['RELAY_KEY_UI', 'RELAY_KEY_CHAT', 'RELAY_KEY_OWNER', 'RELAY_KEY_PHONE'],
    ]);
    expect(namesOf(siteOf({ tinyproxy: { username: 'me' } }), [], true)).toEqual([
      'TINYPROXY_PASSWORD',
    ]);
  });

  it('includes the signing key only if it is named', () => {
    expect(namesOf(siteOf(), ['WEBUI_SECRET_KEY'], true)).toContain('WEBUI_SECRET_KEY');
    expect(namesOf(siteOf(), ['WEBUI_SECRET_KEY'], false)).toEqual(['WEBUI_SECRET_KEY']);
  });

  it.each([
    ['WEBUI_ADMIN_PASSWORD', 'landfall ui password'],
    ['OPENAI_API_KEY', 'landfall secret set OPENAI_API_KEY'],
    ['console-password', 'sudo passwd ops'],
    ['LOBE_ACCESS_CODE', 'landfall secret list'],
  ])('refers %s to another command', (name, hint) => {
    expect(() => chosenSecrets(siteOf(), [name], true)).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining(hint) }),
    );
  });

  it('rejects an unknown name without printing it, because it may be a value', () => {
    expect(() => chosenSecrets(siteOf(), ['sk-very-secret'], false)).toThrow(
      'this site has no secret of this name',
    );
    expect(() => chosenSecrets(siteOf(), [], false)).toThrow('no secret was named');
  });
});

/** A server whose Docker does not respond: the stack cannot be applied. */
function broken() {
  const host = TemporaryHost.with(
    { [`${folder}/TINYPROXY_PASSWORD`]: 'old\n', [`${folder}/RELAY_KEY_OWNER`]: 'owner\n' },
    { '': 1 },
  );
  mkdirSync(dirname(host.path(installedMark)), { recursive: true });
  writeFileSync(host.path(installedMark), '1.0.0\n');
  const stored = (name: string) => readFileSync(host.path(folder, name), 'utf8');
  return { host, context: contextFor(host), stored };
}

describe('landfall secret rotate', () => {
  it('lets the next run apply the stored values after a failure', async () => {
    const { host, context, stored } = broken();
    const rotation = rotateSecrets(context, ['TINYPROXY_PASSWORD'], { yes: true });
    await expect(rotation).rejects.toMatchObject({ stage: 'stack' });
    expect(stored('TINYPROXY_PASSWORD')).toMatch(/^[A-Za-z0-9]{24}\n$/);
    expect(stored('RELAY_KEY_OWNER')).toBe('owner\n');
    expect(await new Journal(host).isUnfinished('stack')).toBe(true);
    const all = [...printed, ...host.ran, ...host.inputs].join('\n');
    expect(all).not.toContain(stored('TINYPROXY_PASSWORD').trim());
  });

  it('changes nothing before the first boot has ended', async () => {
    const context = contextFor(TemporaryHost.with({}));
    await expect(
      rotateSecrets(context, ['TINYPROXY_PASSWORD'], { yes: true }),
    ).rejects.toMatchObject({ code: 'STATE_INVALID' });
  });

  it('changes nothing without a terminal and without --yes', async () => {
    const { context, stored } = broken();
    const { isTTY } = process.stdin;
    process.stdin.isTTY = false;
    try {
      await expect(rotateSecrets(context, ['WEBUI_SECRET_KEY'], {})).rejects.toMatchObject({
        code: 'USAGE',
        hint: expect.stringContaining('--yes'),
      });
    } finally {
      process.stdin.isTTY = isTTY;
    }
    expect(printed.join('\n')).toMatch(/New values for WEBUI_SECRET_KEY.*Open WebUI/);
    expect(printed.join('\n')).toContain('must sign in again');
    expect(stored('TINYPROXY_PASSWORD')).toBe('old\n');
  });

  it('lists its options in its help', async () => {
    const { stdout } = await landfall('secret', 'rotate', '--help');
    expect(stdout).toMatch(/Usage: landfall secret rotate/);
    expect(stdout).toContain('--all-generated');
  });
});
