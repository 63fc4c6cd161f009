import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { completeAnswers } from '../../../builder/commands/init/answers.ts';
import { siteTemplate } from '../../../builder/commands/init/site-template.ts';
import { consoles } from '../../../builder/deliver/user-data/consoles.ts';
import { providers } from '../../../builder/deliver/user-data/providers.ts';
import { renderUserData } from '../../../builder/deliver/user-data/render.ts';
import {
  channelRelease,
  signedChannel,
} from '../../appliance/shared/contract/channel/a-channel.ts';
import { inputsWith } from '../../builder/deliver/user-data/rendered.ts';
import { needs } from '../needs.ts';
import { choose, PageFolder } from './opened-page.ts';
import { facts, files } from './release-files.ts';

const given = needs('browser');
const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop';
const site = `release: push\nadmin: { ssh_keys: ["${key}"] }\n`;

given.describe('the choices in the page', () => {
  let folder: PageFolder;
  beforeAll(async () => {
    folder = await PageFolder.start(given.browser, facts);
  });
  afterAll(() => folder.close());

  /** Opens the page with a release and the text of a site. */
  async function openWith(text: string, locale = 'en-US'): Promise<Page> {
    const page = await folder.open('file', { locale });
    await choose(page, files);
    await page.click('#site-text summary');
    await page.fill('#site', text);
    await page.waitForSelector('#user-data');
    return page;
  }

  it('shows the limit, the field and the command of each provider', async () => {
    const page = await openWith(site);
    for (const [name, { limits }] of Object.entries(providers)) {
      const { field, command = '' } = consoles[name] ?? {};
      await page.selectOption('#provider', name);
      const limit = limits['cloud-config'] ?? limits.shell;
      expect(await page.innerText('#paste [role=status]'), name).toContain(`of ${limit} bytes`);
      const steps = await page.innerText('#instructions');
      expect(steps, name).toContain(field?.en);
      expect(steps, name).toContain(command.split('\n')[0]?.trim());
    }
    expect(await page.innerText('#instructions')).toContain('ssh ops@<address>');
    expect(await page.innerText('#instructions')).toContain('22/tcp, 80/tcp, 443/tcp');
    await page.fill('#site', `${site}hosts: { ui: chat.example.com, port: 8443, http: false }\n`);
    const moved = await page.innerText('#instructions');
    expect(moved).toContain('https://chat.example.com:8443/');
    expect(moved).toContain('22/tcp, 8443/tcp');
    expect(moved).toContain('the site closes port 80');
    expect(folder.complaints).toEqual([]);
  });

  it('names providers and their warnings in Chinese', async () => {
    const page = await openWith(site, 'zh-CN');
    await page.selectOption('#provider', 'alibaba');
    expect(await page.innerText('#provider')).toContain('阿里云轻量应用服务器');
    await page.selectOption('#provider', 'azure');
    expect(await page.innerText('#paste .warnings')).toContain('自定义数据');
  });

  it('names the models for the memory that is given, as landfall explain does', async () => {
    const page = await openWith(site);
    expect(await page.innerText('#check')).toContain('with 2, 4 or 6 GB of memory: hosted');
    await page.selectOption('#memory', '16');
    expect(await page.innerText('#server .field [role=status]')).toContain('qwen3:8b');
    const check = await page.innerText('#check');
    expect(check).toContain('with 16 GB of memory: qwen3:8b');
    expect(check).not.toContain('or 6 GB of memory');
    expect(check).toContain('send statistics about its use');
    expect(await page.inputValue('#site')).toBe(site);
  });

  it('loads a site of landfall init and shows the same text', async () => {
    const text = siteTemplate(
      completeAnswers({ releaseWay: 'push', sshKeys: [key], tls: 'internal' }, undefined),
    );
    const page = await folder.open('file');
    await choose(page, files);
    await page.setInputFiles('#server input[type=file]', {
      ...{ name: 'site.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) },
    });
    await page.waitForSelector('#user-data');
    expect(await page.inputValue('#site')).toBe(text);
    const download = page.waitForEvent('download');
    await page.click('text=Save site.yaml');
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(text);
  });

  it('reads dropped user-data by its content, and names what it does not read', async () => {
    const page = await folder.open('file');
    const text = decodeUtf8(renderUserData(inputsWith()).bytes);
    await choose(page, [{ name: 'user-data.yaml', buffer: Buffer.from(text) }]);
    await page.waitForSelector('#explained');
    expect(await page.innerText('#read')).toContain('downloads.example.com');
    await choose(page, [
      { name: 'id_ed25519', buffer: Buffer.from('-----BEGIN PRIVATE KEY-----') },
    ]);
    expect(await page.innerText('main > [role=alert]')).toContain('id_ed25519 is a private key');
  });

  it('says that the channel withdrew the release', async () => {
    const page = await folder.open('file');
    const withdrawn = { reason: 'It loses chats.' };
    const { bytes, signature } = signedChannel({
      releases: [channelRelease('1.2.0', { withdrawn })],
    });
    await choose(page, [
      ...files,
      { name: 'channel.json', buffer: Buffer.from(bytes) },
      { name: 'channel.json.sig', buffer: Buffer.from(signature) },
    ]);
    expect(await page.innerText('#release [role=alert]')).toContain('It loses chats.');
  });

  it('fits a window at 200 % zoom, and moves nothing with reduced motion', async () => {
    const page = await folder.open('file', {
      ...{ viewport: { width: 640, height: 450 }, deviceScaleFactor: 2, reducedMotion: 'reduce' },
    });
    await choose(page, files);
    await page.click('.presets button >> nth=0');
    await page.click('text=All other settings');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(640);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });
});
