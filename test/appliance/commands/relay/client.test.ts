import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { type ClientFlags, showClient } from '../../../../appliance/commands/relay/client.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const onTerminal = process.stdout.isTTY;
let printed: string[];
let engine: Server | undefined;
beforeEach(() => {
  printed = [];
  process.stdout.isTTY = true;
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(async () => {
  process.stdout.isTTY = onTerminal;
  vi.restoreAllMocks();
  setLanguage('en');
  await new Promise((resolve) => (engine ? engine.close(resolve) : resolve(undefined)));
  engine = undefined;
});

const chat = { name: 'qwen3:4b-instruct', role: 'chat', size: 2.5e9, manifest: null } as const;
const providers = {
  openai: { base_url: 'https://api.openai.com/v1', models: ['gpt-5-mini'] },
  claude: {
    ...{ base_url: 'https://api.anthropic.com/v1', api: 'anthropic', models: ['claude-x'] },
  },
};
const hosts = { ui: 'chat.example.com', relay: 'api.example.com' };
const acme = { mode: 'acme', accept_terms: true };
const withBoth = {
  ...{ hosts, providers, tls: acme },
  admin: {
    ...{ email: 'me@example.com' },
    ssh_keys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8'],
  },
  relay: {
    local: true,
    keys: [
      'codex',
      'claude-code',
      'gemini-cli',
      { name: 'hosted', providers: ['openai'] },
      { name: 'small', models: ['gpt-5-nano', 'text-*'] },
    ],
  },
};

function serverWith(site: Record<string, unknown>) {
  const { keys = [] } = Object(site.relay);
  const names = ['owner', ...keys.map((each: { name?: string }) => each.name ?? each)];
  const secrets = Object.fromEntries(
    names.map((name: string) => [
      `etc/landfall/secrets/RELAY_KEY_${name.replaceAll('-', '_').toUpperCase()}`,
      `key-of-${name}\n`,
    ]),
  );
  return contextFor(TemporaryHost.with(secrets), { site, release: { models: [chat] } });
}

async function show(name: string | undefined, flags: ClientFlags = {}, site: object = withBoth) {
  await showClient(serverWith({ ...site }), name, flags);
  return printed.join('\n');
}

async function shown(name: string, flags: ClientFlags = {}, site: object = withBoth) {
  printed = [];
  return JSON.parse(await show(name, { ...flags, json: true }, site));
}

/** Runs an Ollama whose model has these capabilities, and returns its port. */
async function engineWith(capabilities: readonly string[]): Promise<number> {
  const server = createServer((_request, response) =>
    response.end(JSON.stringify({ capabilities })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine = server;
  return (server.address() as AddressInfo).port;
}

const refused = (message: string, hint = '') => ({
  code: 'USAGE',
  message: expect.stringContaining(message),
  hint: expect.stringContaining(hint),
});

describe('landfall relay client', () => {
  it('lists the clients without a name', async () => {
    expect(await show(undefined)).toMatch(/^claude-code +Claude Code +yes$/m);
  });

  it('prints the lines to paste, with a model of this server first', async () => {
    const text = await show('codex');
    expect(text).toContain('base_url = "https://api.example.com/v1"');
    expect(text).toContain('model = "qwen3:4b-instruct"');
    expect(text).toContain('export RELAY_KEY=key-of-codex');
    expect(text).toContain('In ~/.codex/config.toml:');
    expect(text).toContain('Warning: the context of local models is 16384 tokens');
  });

  it('uses the provider with the API of the client under its name in the site', async () => {
    expect(await shown('claude-code')).toMatchObject({
      ...{ api: 'anthropic', base_url: 'https://api.example.com/claude', model: 'claude-x' },
      ...{ key: 'key-of-claude-code', tunnel: null, link: null },
    });
  });

  it('uses the local model in a format that only Ollama serves here', async () => {
    const site = { ...withBoth, providers: {} };
    const { base_url, model, parts } = await shown('claude-code', {}, site);
    expect([base_url, model]).toEqual(['https://api.example.com/local', 'qwen3:4b-instruct']);
    expect(parts[0].text).toContain('export ANTHROPIC_DEFAULT_HAIKU_MODEL=qwen3:4b-instruct');
  });

  it('obeys the limits of the key', async () => {
    expect(await shown('codex', { key: 'hosted' })).toMatchObject({ model: 'gpt-5-mini' });
    expect(await shown('codex', { key: 'small' })).toMatchObject({ model: 'gpt-5-nano' });
    await expect(shown('claude-code', { key: 'hosted' })).rejects.toMatchObject(
      refused('does not serve an API that Claude Code uses to this key: Anthropic'),
    );
  });

  it('takes a model, an API and the key of the administrator', async () => {
    const flags = { key: 'owner', api: 'anthropic', model: 'claude-y' } as const;
    expect(await shown('aider', flags)).toMatchObject({
      ...{ api: 'anthropic', model: 'claude-y', key: 'key-of-owner' },
      base_url: 'https://api.example.com/claude',
    });
    await expect(shown('codex', { api: 'gemini' })).rejects.toMatchObject(
      refused("Codex does not use Gemini's API", 'Choose from: openai.'),
    );
  });

  it('names a tunnel if the relay has no host name', async () => {
    const { tunnel, base_url } = await shown(
      'codex',
      {},
      { ...withBoth, hosts: { ui: 'a.example' } },
    );
    expect(tunnel).toMatch(/^ssh -N -L 127\.0\.0\.1:(\d+):127\.0\.0\.1:\1 /);
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  });

  it('warns about a model that calls no tools, for clients that need them', async () => {
    const ports = { engine: await engineWith(['completion']) };
    const site = { ...withBoth, ports };
    expect((await shown('codex', {}, site)).warnings).toEqual([
      expect.stringContaining('the context of local models is 16384 tokens'),
      expect.stringContaining('the model qwen3:4b-instruct cannot call tools'),
    ]);
    const { warnings } = await shown('codex', {}, { ...site, context: 65_536 });
    expect(warnings).toEqual([expect.stringContaining('cannot call tools')]);
    expect((await shown('aider', { key: 'owner' }, site)).warnings).toEqual([]);
  });

  it('warns about a key of another client and about an untrusted certificate', async () => {
    const site = { ...withBoth, context: 65_536, tls: { mode: 'internal' } };
    expect((await shown('codex', { key: 'claude-code' }, site)).warnings).toEqual([
      expect.stringContaining('Two clients with one key'),
      expect.stringContaining('clients reject the certificate'),
    ]);
  });

  it('rejects a typo, a site without a relay, and a client that no provider serves', async () => {
    await expect(show('cldex')).rejects.toMatchObject(refused('unknown client "cldex"', 'codex'));
    await expect(show('codex', {}, {})).rejects.toMatchObject(
      refused('the site has no relay', 'relay.local true'),
    );
    await expect(show('gemini-cli')).rejects.toMatchObject(refused('Gemini'));
  });

  it('makes no key for programs, and changes no limits of one that exists', async () => {
    await expect(shown('opencode')).rejects.toMatchObject(
      refused('the site has no relay key opencode', 'relay key add opencode'),
    );
    await expect(show('codex', { budget: { tokensPerDay: 1 } })).rejects.toMatchObject(
      refused('already has the relay key codex'),
    );
  });

  it('shows keys on a terminal only', async () => {
    process.stdout.isTTY = false;
    await expect(show('codex')).rejects.toMatchObject(refused('standard output is not a terminal'));
  });

  it('prints the link of an app as a QR code, and rejects --qr for others', async () => {
    const text = await show('nextchat', { key: 'owner', qr: true });
    expect(text).toContain('https://app.nextchat.dev/#/?settings=%7B%22key%22%3A%22key-of-owner');
    expect(text).toMatch(/[\u2580\u2584\u2588]{20}/);
    await expect(show('codex', { qr: true })).rejects.toMatchObject(
      refused('Codex has no documented link', 'nextchat, cherry-studio'),
    );
  });

  it('writes Chinese', async () => {
    setLanguage('zh');
    expect(await show('codex')).toContain('写入 ~/.codex/config.toml：');
  });
});
