import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { contentPolicyFor } from '../../../../../appliance/server/progress/page/assets.ts';
import { docsLocations } from '../../../../../appliance/stages/stack/components/docs/locations.ts';
import { renderPages } from '../../../../../appliance/stages/stack/pages/render-pages.ts';
import type { StackInput } from '../../../../../appliance/stages/stack/stack-input.ts';
import { everything, stackInput } from '../stack-input.ts';

const sshKey = 'ssh-ed25519 AAAA me@laptop';
const isHtml = ({ path }: { path: string }) => path.endsWith('.html');

function allText(input: StackInput): string {
  return renderPages(input)
    .map(({ content }) => content)
    .join('\n');
}

function page(site: Record<string, unknown>, path: string): string {
  return renderPages(stackInput(site)).find((file) => file.path === path)?.content ?? '';
}

describe("the server's pages", () => {
  it('renders the pages of the server as Markdown and HTML (SPEC 4, E7)', () => {
    const paths = renderPages(stackInput(everything)).map(({ path }) => path);
    for (const name of ['index', 'chat', 'relay', 'engine', 'proxy', 'editor']) {
      expect(paths).toContain(`docs/agents/${name}.md`);
      expect(paths).toContain(`docs/agents/${name}.html`);
    }
  });

  it('contain every field of a site, and what a change of it does', () => {
    const english = page({}, 'docs/agents/site.md');
    expect(english).toContain('\n## `tls`\n\n- `tls` (section): ');
    expect(english).toContain('- `tls.mode` (`acme`, `acme-staging`');
    expect(english).toMatch(/^- `dns` .* a new login must confirm it\.$/m);
    expect(page({}, 'docs/agents/zh/site.html')).toContain('<code>relay.keys</code>（');
  });

  it('lists the pages of the server for programs', () => {
    expect(page(everything, 'docs/llms.txt')).toContain('](/agents/relay.md)');
  });

  it("contain the site's addresses", () => {
    expect(page(everything, 'docs/agents/relay.md')).toContain(
      'base_url="https://api.example.com/openai/v1"',
    );
    expect(page(everything, 'docs/agents/chat.html')).toContain('https://chat.example.com');
  });

  it('contain the base URL of each API of the relay', () => {
    const providers = {
      anthropic: { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' },
      openai: { base_url: 'https://api.openai.com/v1' },
    };
    const text = page({ ...everything, providers, relay: { local: true } }, 'docs/agents/relay.md');
    expect(text).toContain('forwards requests to anthropic, openai, local.');
    expect(text).toContain('base_url="https://api.example.com/openai/v1"');
    expect(text).toContain('- `https://api.example.com/anthropic` (Anthropic API)');
    expect(text).toContain('- `https://api.example.com/local` (Ollama API)');
    const local = page({ relay: { local: true } }, 'docs/agents/relay.md');
    expect(local).toContain('base_url="http://127.0.0.1:8080/local/v1"');
  });

  it('contain the proxy of the server for code editors', () => {
    const site = { ports: { tinyproxy: 8889 } };
    const command = '--proxy http://USER@127.0.0.1:8889';
    expect(page(site, 'docs/agents/editor.md')).toContain(command);
    expect(page(site, 'docs/agents/zh/editor.html')).toContain('href="/agents/zh/proxy"');
  });

  it('describe the tunnel to components without a host name', () => {
    const site = { hosts: { relay: 'api.example.com' } };
    expect(page(site, 'docs/agents/chat.md')).toContain('ssh -N -L 127.0.0.1:3000:127.0.0.1:3000');
  });

  it("contain the server's name in the tunnel command, if it has one, and no user", () => {
    const proxy = (site: object) => page({ ...site }, 'docs/agents/proxy.md');
    expect(proxy(everything)).toMatch(/ssh -N -L \S+ USER@chat.example.com\n/);
    expect(proxy(everything)).toContain('`USER` is your login on the server.');
    expect(proxy({})).toMatch(/ssh -N -L \S+ USER@SERVER\n/);
    expect(proxy({})).toContain('`SERVER` is its address.');
  });

  it('name the command that shows how the administrator signs in to the chat', () => {
    const sentence = '`sudo landfall credentials` shows the email address and the password';
    expect(page(everything, 'docs/agents/chat.md')).toContain(sentence);
  });

  // With `hosts.docs` they are public.
  it("do not contain the administrator's name or e-mail", () => {
    const admin = { user: 'very-private', email: 'very-private@example.org', ssh_keys: [sshKey] };
    expect(allText(stackInput({ ...everything, admin }))).not.toContain('very-private');
  });

  it('link to the chat, under its host name or the address of the server', () => {
    const addresses = ['10.0.0.4', '203.0.113.5', '2001:db8::5'];
    const server = { memory: 8 * 1024 ** 3, cpus: 4, addresses };
    for (const [site, url] of [
      [everything, 'https://chat.example.com'],
      [{}, 'https://203.0.113.5'],
    ] as const) {
      const files = renderPages(stackInput(site, { server })).filter(isHtml);
      for (const { content, path } of files) expect(content, path).toContain(`<a href="${url}">`);
    }
    const html = page({}, 'docs/agents/relay.html');
    expect(html).toContain('<a href="/agents/chat">Open the chat</a>');
  });

  it('list the models of the server under the names that Ollama uses', () => {
    const model = { name: 'library/qwen3:8b', role: 'chat', manifest: null, size: 5.2e9 } as const;
    const embedding = { ...model, name: 'all-minilm:22m', role: 'embedding', size: null } as const;
    const models = {
      models: [model, embedding],
      chat: model,
      embedding,
      hostedOnly: undefined,
    };
    const files = renderPages(stackInput(everything, { models }));
    const text = (path: string) => files.find((file) => file.path === path)?.content;
    for (const name of ['index', 'chat', 'engine']) {
      expect(text(`docs/agents/${name}.md`)).toContain(
        '- `qwen3:8b`: chat, 5.2 GB\n- `all-minilm:22m`: document search\n',
      );
      expect(text(`docs/agents/zh/${name}.md`)).toContain('- `qwen3:8b`：聊天，5.2 GB\n');
    }
    expect(text('docs/agents/engine.md')).toContain('{"model": "qwen3:8b",');
  });

  it('name the providers whose models the chat lists', () => {
    for (const name of ['index', 'chat']) {
      expect(page(everything, `docs/agents/${name}.md`)).toContain('models of openai, deepseek,');
      expect(page(everything, `docs/agents/zh/${name}.md`)).toContain(
        'openai、deepseek 的云端模型',
      );
      expect(page({}, `docs/agents/${name}.md`)).not.toContain('hosted models of');
    }
  });

  it.each(['not-in-release', 'not-wanted', 'too-small'] as const)(
    'say that there are hosted models only: %s',
    (hostedOnly) => {
      const models = { models: [], chat: undefined, embedding: undefined, hostedOnly };
      const text = allText(stackInput({}, { models }));
      expect(text).toContain('This server has hosted models only: ');
      expect(text).toContain('本服务器只有云端模型：');
      expect(text).not.toContain('Models of this server:');
    },
  );

  // Regression: on a phone, the end of long lines was not visible.
  it('keep lines of code short', () => {
    const files = renderPages(stackInput(everything)).filter(({ path }) => path.endsWith('.md'));
    const blocks = files.flatMap(({ content }) => content.match(/^```[\s\S]*?^```$/gm) ?? []);
    expect(blocks.length).toBeGreaterThan(6);
    for (const line of blocks.flatMap((block) => block.split('\n'))) {
      expect(line.length, line).toBeLessThanOrEqual(80);
    }
  });

  it('contain valid shell functions', () => {
    const [, script = ''] =
      /```sh\n(proxy_on[\s\S]*?)\n```/.exec(page({}, 'docs/agents/proxy.md')) ?? [];
    const lines = script.replace(
      /^curl.*$/m,
      'echo "$https_proxy"; proxy_off; echo "$https_proxy."',
    );
    const { stdout } = spawnSync('sh', ['-c', lines], { encoding: 'utf8', env: {} });
    expect(stdout).toBe('Proxy on\nhttp://USER:PASSWORD@127.0.0.1:8888\nProxy off\n.\n');
  });

  it('contain no secret', () => {
    const input = stackInput(everything);
    const text = allText(input);
    for (const value of Object.values(input.secrets)) expect(text).not.toContain(value);
  });
});

const files = renderPages(stackInput(everything));
const pages = files
  .filter(({ path }) => path.endsWith('.html'))
  .map(({ path, content }) => ({ path: path.slice('docs'.length, -'.html'.length), content }));
const texts = files
  .filter(({ path }) => path.endsWith('.md'))
  .map(({ path, content }) => ({ path, content }));

describe.each(pages)('the page $path', ({ path, content }) => {
  const isChinese = path.startsWith('/agents/zh/');

  it('renders a page with its language, one heading and the product name in the title', () => {
    expect(content).toContain(`<html lang="${isChinese ? 'zh-Hans' : 'en'}">`);
    expect(content.match(/<h1>/g)).toHaveLength(1);
    expect(content).toMatch(/<title>.+ – Landfall<\/title>/);
  });

  it('links to itself in the other language', () => {
    const other = isChinese ? path.replace('/zh/', '/') : path.replace('/agents/', '/agents/zh/');
    const label = isChinese ? 'lang="en" hreflang="en">English' : 'hreflang="zh-Hans">中文';
    expect(content).toContain(`<a href="${other}"`);
    expect(content).toContain(label);
  });

  it('links to existing files only', () => {
    const known = files.map((file) => file.path);
    const targets = [...content.matchAll(/href="(\/[^"]+)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(3);
    for (const target of targets) {
      const file = /\.(?:md|txt)$/.test(target) ? target : `${target}.html`;
      expect(known).toContain(`docs${file}`);
    }
  });

  it('loads nothing, and its policy allows nothing but its style', () => {
    expect(content).not.toMatch(/<script|<img|<iframe|src=|url\(|@import|style=/);
    const [, style = ''] = /<style>(.*)<\/style>/.exec(content) ?? [];
    expect(docsLocations()).toContain(`"${contentPolicyFor({ style })}"`);
  });
});

describe('the Chinese pages', () => {
  it('translates the Chinese pages except for names, commands and addresses', () => {
    const chinese = texts.filter(({ path }) => path.startsWith('docs/agents/zh/'));
    expect(chinese).toHaveLength(texts.length / 2);
    for (const { path, content } of chinese) {
      const prose = content.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '');
      for (const line of prose.split('\n').filter((text) => /[A-Za-z]{3}/.test(text))) {
        if (line.trim() !== '' && !line.startsWith('- '))
          expect(line, path).toMatch(/[\u4e00-\u9fff]/);
      }
    }
  });
});
