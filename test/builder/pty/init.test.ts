import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { inTerminal, keys, landfall } from '../../pty/terminal.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';

/** 1024 bits, which OpenSSH no longer accepts. */
const shortKey =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC8uGmXozSwlz1s1goH6rbo8DErd6zFdJvKHZR14e6fptLxuijofR4SB3XWmA02bv5sbCoOJqHRpZxeHMUV7gx2WHk8zF6+HmQhwl5kGza1WGE6WMV4zCFAZY9P8eYgiP2j4rorwIMo7r6qPrs4pxItNqnJ7u3jiAVC280/JcYObw==';
const server = ['--memory', '8', '--arch', 'amd64'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-pty-init-'));
});
afterEach(() => rm(folder, { recursive: true }));

const init = (...args: string[]) => inTerminal([...landfall, 'init', ...args], { cwd: folder });

describe('landfall init on a terminal', () => {
  it('names keys, answers and front-ends in Chinese', async () => {
    const flags = ['--release-url', 'push', '--ssh-key', key, '--tls', 'internal', '--ui-host', ''];
    const run = init('mine', '--language', 'zh', '--provider', 'deepseek', '--email', '', ...flags);
    await run.shows('↑/↓ 移动，空格键勾选，回车键确认');
    await run.shows('服务器有多大？');
    run.type(`${keys.down}${keys.down}${keys.enter}`);
    await run.shows('服务器是什么处理器？');
    run.type(keys.enter);
    await run.shows('服务器怎么连接外网？');
    run.type(keys.enter);
    await run.shows('服务器需要软件源');
    run.type(keys.enter);
    await run.shows('服务器的时区');
    run.type(keys.enter);
    await run.shows('NextChat: 单个模型服务商');
    run.type(` ${keys.enter}`);
    await run.shows('服务器也运行本地模型吗？');
    await run.shows('是 / ○ 否');
    run.type(keys.enter);
    const { status, text } = await run.end();
    expect(status).toBe(0);
    expect(text).not.toMatch(/to navigate|select|confirm|Yes|front-end for/);
  });

  it('asks again for a provider where the server runs no model', async () => {
    const flags = ['--release-url', 'push', '--ssh-key', key, '--tls', 'internal', '--ui-host', ''];
    const rest = ['--email', '', '--memory', '2', '--arch', 'amd64'];
    const run = init('mine', ...flags, ...rest, '--timezone', 'UTC');
    await run.shows('How does the server reach the internet?');
    run.type(keys.enter);
    await run.shows('Does the server need mirrors');
    run.type(keys.enter);
    await run.shows('Hosted providers for the relay');
    run.type(keys.enter);
    await run.shows('A server with 2 GB runs no local model.');
    run.type(keys.enter);
    await run.shows('Hosted providers for the relay');
    run.type(` ${keys.enter}`);
    await run.shows('Front-ends besides Open WebUI');
    run.type(keys.enter);
    expect((await run.end()).status).toBe(0);
    const site = parse(await readFile(join(folder, 'mine/site.yaml'), 'utf8'));
    expect(Object.keys(site.providers)).toHaveLength(1);
  });

  it('prompts again after an invalid answer', async () => {
    const run = init('mine', '--tls', 'internal');
    await run.shows('How large is the server?');
    // Servers of several sizes: only then a local model is a question of the site.
    run.type(`${keys.down}${keys.down}${keys.enter}`);
    await run.shows('Which processor does the server have?');
    run.type(keys.enter);
    await run.shows('How does the server get the release?');
    run.type(keys.enter);
    await run.shows('URL of the folder that will contain the release');
    run.type(`ftp://bad${keys.enter}`);
    await run.shows('The value must be a URL such as');
    run.type(`${keys.clear}https://https://downloads.example.com/${keys.enter}`);
    await run.shows('understood as https://downloads.example.com/');
    await run.shows('Your SSH public key');
    run.type(`nonsense${keys.enter}`);
    await run.shows('nonsense is not an SSH public key');
    run.type(`${keys.clear}${shortKey}${keys.enter}`);
    await run.shows('the SSH key has only 1024 bits, the minimum is 2048');
    run.type(`${keys.clear}${key.slice(0, 40)}${keys.enter}`);
    await run.shows('the SSH key is truncated or has trailing data');
    run.type(`${keys.clear}${key}${keys.enter}`);
    await run.shows('Host name of the chat UI');
    run.type(`203.0.113.7${keys.enter}`);
    await run.shows('leave it empty, and the chat is served at the address');
    run.type(`${keys.clear}${keys.enter}`);
    await run.shows(
      'Email address to sign in to the chat (optional: without one, it is ops@localhost)',
    );
    run.type(keys.enter);
    await run.shows('How does the server reach the internet?');
    run.type(keys.enter);
    await run.shows('Does the server need mirrors');
    run.type(keys.enter);
    await run.shows('Time zone of the server');
    run.type(keys.enter);
    await run.shows('DeepSeek: https://api.deepseek.com/v1');
    await run.shows('智谱 (GLM): https://open.bigmodel.cn/api/paas/v4');
    run.type(` ${keys.enter}`);
    await run.shows('Front-ends besides Open WebUI');
    run.type(` ${keys.enter}`);
    await run.shows('run a local model');
    run.type(`n`);
    const { status, text } = await run.end();
    expect(text).toContain('Next, in this order:');
    expect(status).toBe(0);
    const site = siteSchema.parse(parse(await readFile(join(folder, 'mine/site.yaml'), 'utf8')));
    expect(site).toMatchObject({
      release: ['https://downloads.example.com/'],
      providers: { deepseek: { base_url: 'https://api.deepseek.com/v1' } },
      components: { chat: true, lobe: false },
      models: [],
    });
    expect(checkSite(site)).toEqual([]);
  });

  it('asks in Chinese if the locale is Chinese, and writes the language and the time zone', async () => {
    const run = inTerminal([...landfall, 'init', 'mine', '--ssh-key', key, '--tls', 'internal'], {
      cwd: folder,
      env: { LANG: 'zh_CN.UTF-8', TZ: 'Asia/Shanghai' },
    });
    await run.shows('服务器有多大？');
    run.type(keys.enter);
    await run.shows('服务器是什么处理器？');
    run.type(keys.enter);
    await run.shows('服务器怎么得到发布包？');
    run.type(`${keys.down}${keys.enter}`);
    await run.shows('ICP 备案');
    await run.shows('聊天界面的域名');
    run.type(keys.enter);
    await run.shows('登录聊天界面的邮箱');
    run.type(keys.enter);
    await run.shows('服务器怎么连接外网？');
    run.type(keys.enter);
    await run.shows('中国大陆，Debian');
    run.type(keys.enter);
    await run.shows('服务器的时区');
    run.type(keys.enter);
    await run.shows('中继接入的模型服务商');
    run.type(keys.enter);
    const { status, text } = await run.end();
    expect(status).toBe(0);
    expect(text).toMatch(/│ {2}无\n/);
    const site = siteSchema.parse(parse(await readFile(join(folder, 'mine/site.yaml'), 'utf8')));
    expect(site).toMatchObject({ language: 'zh', timezone: 'Asia/Shanghai', release: 'push' });
  });

  it('asks in Chinese with --language zh', async () => {
    const run = init('mine', '--language', 'zh');
    await run.shows('服务器有多大？');
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
  });

  it('prompts, writes the files and ends', async () => {
    const run = init('mine', ...server, '--ssh-key', key);
    await run.shows('How does the server get the release?');
    run.type(keys.enter);
    await run.shows('URL of the folder that will contain the release');
    run.type(`download s${keys.enter}`);
    await run.shows('The value must be a URL such as');
    run.type(`${keys.clear}https://downloads.example.com/${keys.enter}`);
    await run.shows('Host name of the chat UI');
    run.type(`chat.example.com${keys.enter}`);
    await run.shows('Which TLS certificate should the server use?');
    run.type(`${keys.down}${keys.enter}`);
    await run.shows('Email address');
    run.type(keys.enter);
    await run.shows('How does the server reach the internet?');
    run.type(keys.enter);
    await run.shows('Does the server need mirrors');
    run.type(keys.enter);
    await run.shows('Time zone of the server');
    run.type(keys.enter);
    await run.shows('Hosted providers');
    run.type(keys.enter);
    const { status, text } = await run.end();
    expect(text).toMatch(/Next, in this order:\s+cd mine\s+landfall keygen/);
    expect(status).toBe(0);
    expect(await readdir(join(folder, 'mine'))).toContain('site.yaml');
  });

  it.each([
    ['a list', server, 'How does the server get the release?'],
    ['a key prompt', [...server, '--release-url', 'https://e.org/'], 'Your SSH public key'],
    [
      'a choice',
      [...server, '--release-url', 'https://e.org/', '--ssh-key', key, '--ui-host', 'c.e.org'],
      'certificate',
    ],
    [
      'a yes or no',
      [
        ...server,
        '--release-url',
        'https://e.org/',
        '--ssh-key',
        key,
        '--ui-host',
        '',
        '--tls',
        'acme-ip',
        '--email',
        'a@e.org',
      ],
      'Do you accept',
    ],
  ])('ends on Ctrl-C at %s and writes nothing', async (_what, flags, question) => {
    const run = init(...flags);
    await run.shows(question);
    run.type(keys.interrupt);
    const { status, text } = await run.end();
    expect(text).toContain('cancelled');
    expect(status).toBe(130);
    // The folder is also the user's home, with the cache of compiled code.
    expect(await readdir(folder)).toEqual(['.cache']);
  });

  it('ends if the folder cannot be created', async () => {
    const run = init(
      '/proc/landfall',
      '--yes',
      '--ssh-key',
      key,
      '--release-url',
      'https://e.org/',
    );
    const { status, text } = await run.end();
    expect(text).toContain('cannot create the folder /proc/landfall');
    expect(status).toBe(8);
  });
});
