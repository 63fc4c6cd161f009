import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentPolicy } from '../../../../appliance/progress/page/assets.ts';
import { stageTexts } from '../../../../appliance/progress/page/texts.ts';
import { statusOf } from '../status-of.ts';
import { pageOf } from './page-of.ts';

describe('the page of the first boot', () => {
  it('shows every stage and its state in both languages', () => {
    const status = statusOf('images');
    const page = pageOf(status);
    for (const { name } of status.stages) {
      expect(page).toContain(stageTexts[name].en);
      expect(page).toContain(stageTexts[name].zh);
    }
    expect(page.match(/class="applied"/g)).toHaveLength(8);
    expect(page.match(/class="running" aria-current="step"/g)).toHaveLength(1);
    expect(page.match(/class="waiting"/g)).toHaveLength(6);
  });

  it('has a total progress bar, and one for the running stage', () => {
    const progress = { done: 1, total: 4, unit: 'images' } as const;
    const page = pageOf(statusOf('images', 'running', { progress }));
    expect(page).toContain('value="8" max="15"');
    expect(page).toContain('value="0.250" max="1"');
    expect(page).toContain('1 of 4 images');
    expect(page).toContain('1/4 个镜像');
  });

  it('has an indeterminate bar without an amount', () => {
    expect(pageOf(statusOf('images'))).toMatch(/<progress aria-label="[^"]+"><\/progress>/);
  });

  it('shows a failure without its reason', () => {
    const error = {
      code: 'IMAGE_MISMATCH',
      message: 'the reason',
      hint: 'the remedy',
      retriable: true,
    };
    const page = pageOf(statusOf('images', 'failed', { error }));
    expect(page).toContain('The setup has stopped');
    expect(page).toContain('部署已中断');
    expect(page).not.toMatch(/MISMATCH|reason of|the reason<|the remedy/);
  });

  it('says that the setup waits for its administrator, without an estimate', () => {
    const page = pageOf(statusOf('route', 'running', { waitsFor: 'proxies' }));
    expect(page).toMatch(/role="status">The setup waits for its administrator/);
    expect(page).toContain('等待管理员导入代理节点');
    expect(page).not.toMatch(/Estimated/);
    expect(page).toContain('Elapsed: 4 min.');
  });

  it('leads to the services when the setup is complete', () => {
    const url = 'https://chat.example.com/';
    const link = `<a href="${url}">${url}</a>`;
    expect(pageOf(statusOf(undefined), undefined, url)).toContain(link);
    expect(pageOf(statusOf('report'), undefined, url)).not.toContain('example.com');
    expect(pageOf(statusOf(undefined))).toContain('Reload this page in a moment.');
  });

  it('has the name of the product', () => {
    const page = pageOf(statusOf('images'));
    expect(page).toContain('<p class="name">Landfall</p>');
    expect(page).toContain('<title>53 % This server is being set up – Landfall</title>');
  });

  it('shows the elapsed time and an estimate while it runs, in both languages', () => {
    const progress = { done: 1.2e9, total: 4.3e9, unit: 'bytes' } as const;
    // 28 % of the images took 250 s, so the rest takes 646 s; the waiting stages take 147 s.
    const page = pageOf(statusOf('images', 'running', { progress }));
    expect(page).toContain('<p>Elapsed: 4 min. Estimated time left: 13 min.<small');
    expect(page).toContain('<small lang="zh-Hans">已用时：4 分钟。预计剩余：13 分钟。</small>');
  });

  it('counts minutes from less than one', () => {
    const page = pageOf(statusOf('report'), Date.parse(statusOf('report').started) + 59_000);
    expect(page).toContain('Elapsed: less than a minute. Estimated time left: less than a minute.');
    expect(page).toContain('已用时：不到 1 分钟。预计剩余：不到 1 分钟。');
  });

  it('shows the duration, and no estimate, at the end', () => {
    const later = Date.parse('2026-11-22T00:00:00.000Z');
    expect(pageOf(statusOf(undefined), later)).toContain('<p>It took 4 min.<small');
    expect(pageOf(statusOf('stack', 'failed'), later)).toContain(
      '<p>It stopped after 4 min.<small',
    );
  });

  it('marks a failure in red, in addition to the text', () => {
    const page = pageOf(statusOf('stack', 'failed'));
    for (const tag of ['<h1 class="failed">', '<progress class="failed"', '<li class="failed">']) {
      expect(page).toContain(tag);
    }
    expect(page).toContain('<span>stopped<small');
    expect(page).toMatch(/\.failed\{color:var\(--failed\);accent-color:var\(--failed\)\}/);
    expect(pageOf(statusOf('stack'))).not.toContain('class="failed"');
  });

  it('refreshes without JavaScript', () => {
    expect(pageOf(statusOf('images'))).toContain(
      '<noscript><meta http-equiv="refresh" content="5"></noscript>',
    );
  });

  it('is small', () => {
    expect(Buffer.byteLength(pageOf(statusOf('images')))).toBeLessThan(7000);
  });

  it('is accessible: languages, labels and a status line', () => {
    const page = pageOf(statusOf('images'));
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('<p role="status">9/15: Load the container images');
    for (const [, tag] of page.matchAll(/<([^<>]*)>[^<>]*[\u4e00-\u9fff][^<>]*</g)) {
      expect(tag).toContain('lang="zh-Hans"');
    }
    for (const [bar] of page.matchAll(/<progress[^>]*>/g)) expect(bar).toContain('aria-label="');
  });
});

describe('the content of the public page', () => {
  it('contains no names, addresses or errors', () => {
    // These fields may contain user names, addresses, versions and program output.
    const anything = fc.string({ minLength: 6, maxLength: 40 }).map((text) => `@@${text}@@`);
    fc.assert(
      fc.property(anything, anything, (secret, other) => {
        const status = statusOf('users', 'failed', {
          product: secret,
          release: other,
          line: secret,
          warnings: [{ kind: 'login', subject: secret, text: other }],
          error: { code: secret, message: other, hint: secret, retriable: true },
        });
        const stages = status.stages.map((stage) => ({ ...stage, title: secret }));
        const page = pageOf({ ...status, stages });
        expect(page).toContain('</html>');
        expect(page).not.toContain('@@');
      }),
    );
  });

  it('is the same for every product and release', () => {
    const page = pageOf(statusOf('images'));
    expect(page).toBe(pageOf(statusOf('images', 'running', { release: '9.9.9' })));
    expect(page).not.toMatch(/1\.2\.0/);
  });
});

describe('the content policy', () => {
  it.each(['style', 'script'])('allows the %s of the page by its digest', (tag) => {
    const page = pageOf(statusOf('images'));
    const [, text = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? [];
    const digest = createHash('sha256').update(text).digest('base64');
    expect(contentPolicy).toContain(`${tag}-src 'sha256-${digest}'`);
  });

  it('allows nothing else', () => {
    expect(contentPolicy).toMatch(/^default-src 'none'; /);
    expect(contentPolicy).not.toContain('unsafe');
  });
});
