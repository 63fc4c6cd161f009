import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatewayPageFile, pageFile, stackFolder } from '#contract/server-paths.ts';
import { contentPolicy } from '../../../../../appliance/server/progress/page/assets.ts';
import {
  type ExpectedTimes,
  expectedTimes,
} from '../../../../../appliance/server/progress/page/expected-times.ts';
import {
  expireGatewayPage,
  remainingTime,
  writePage,
} from '../../../../../appliance/server/progress/page/page-file.ts';
import type { Status } from '../../../../../appliance/server/progress/status.ts';
import { type StageName, stageNames } from '../../../../../appliance/server/stage/stage.ts';
import { stageTexts } from '../../../../../appliance/server/stage/stage-texts.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { statusOf } from '../status-of.ts';
import { expected, pageOf } from './page-of.ts';

const url = 'https://chat.example.com/';
/** A file of the gateway, which the stage `stack` writes. */
const configured = { [`${stackFolder}/gateway/conf.d/ui.conf`]: '' };

describe('the page of the gateway', () => {
  it('writes the same page for the gateway, readable for nginx', async () => {
    const host = TemporaryHost.with(configured);
    await writePage(host, statusOf('models'), { expected, url });
    const page = readFileSync(host.path(gatewayPageFile), 'utf8');
    expect(page).toBe(readFileSync(host.path(pageFile), 'utf8'));
    expect(statSync(host.path(gatewayPageFile)).mode & 0o777).toBe(0o644);
    expect(statSync(host.path(dirname(gatewayPageFile))).mode & 0o005).toBe(0o005);
  });

  it.each([
    ['the gateway is not configured yet', {}, { expected, url }],
    ['the site has no host names', configured, { expected }],
  ])('writes no page for the gateway if %s', async (_when, files, settings) => {
    const host = TemporaryHost.with(files);
    await writePage(host, statusOf('models'), settings);
    expect(existsSync(host.path(gatewayPageFile))).toBe(false);
  });

  it('removes the page of the gateway an hour after the setup, or at a shutdown', async () => {
    const host = TemporaryHost.with({}, { 'systemd-run': '' });
    await expireGatewayPage(host);
    expect(host.ran).toEqual([
      expect.stringMatching(
        /--property=ExecStopPost=\/bin\/rm -f \S+\/progress\/index\.html \/bin\/sleep 3600$/,
      ),
    ]);
  });

  it('removes the page of the gateway at once if its end cannot be planned', async () => {
    const host = TemporaryHost.with({ [gatewayPageFile]: 'x' }, { 'systemd-run': 1 });
    await expireGatewayPage(host);
    expect(existsSync(host.path(gatewayPageFile))).toBe(false);
  });
});

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

  it('shows a total progress bar, and one for the running stage', () => {
    const progress = { done: 1, total: 4, unit: 'images' } as const;
    const page = pageOf(statusOf('images', 'running', { progress }));
    expect(page).toContain('value="8" max="15"');
    expect(page).toContain('value="0.250" max="1"');
    expect(page).toContain('1 of 4 images');
    expect(page).toContain('1/4 个镜像');
  });

  it('shows an indeterminate progress bar without an amount', () => {
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

  it('shows the name of the product on the page of the first boot', () => {
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
    expect(pageOf(statusOf(undefined), later)).toContain('<p>Elapsed: 4 min.<small');
    expect(pageOf(statusOf('stack', 'failed'), later)).toContain('<p>Elapsed: 4 min.<small');
  });

  it('marks a failure in red, in addition to the text', () => {
    const page = pageOf(statusOf('stack', 'failed'));
    for (const tag of ['<h1 class="failed">', '<progress class="failed"', '<li class="failed">']) {
      expect(page).toContain(tag);
    }
    expect(page).toContain('<span>FAILED<small');
    expect(page).toMatch(/\.failed\{color:var\(--failed\);accent-color:var\(--failed\)\}/);
    expect(pageOf(statusOf('stack'))).not.toContain('class="failed"');
  });

  it('refreshes without JavaScript', () => {
    expect(pageOf(statusOf('images'))).toContain(
      '<noscript><meta http-equiv="refresh" content="5"></noscript>',
    );
  });

  it('keeps the page of the first boot small', () => {
    expect(Buffer.byteLength(pageOf(statusOf('images')))).toBeLessThan(7000);
  });

  it('renders the page of the first boot accessibly: languages, labels and a status line', () => {
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

  it('renders the same public page for every product and release', () => {
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

const began = Date.parse(statusOf('images').started);

/** 10 seconds for each stage, unless given in seconds. */
function times(seconds: Partial<Record<StageName, number>> = {}): ExpectedTimes {
  return Object.fromEntries(
    stageNames.map((name) => [name, 1000 * (seconds[name] ?? 10)]),
  ) as Record<StageName, number>;
}

const left = (status: Status, expected: ExpectedTimes, seconds: number) =>
  remainingTime(status, expected, began + seconds * 1000) / 1000;

describe('the estimate of the remaining time', () => {
  it('estimates the remaining time as that of all stages at the beginning', () => {
    expect(left(statusOf('preflight'), times(), 0)).toBe(150);
  });

  it('estimates the remaining time as the rest of the running stage and all waiting stages', () => {
    expect(left(statusOf('report'), times(), 4)).toBe(6);
    expect(left(statusOf('smoke'), times(), 4)).toBe(16);
  });

  it('extrapolates the progress of the running stage', () => {
    const progress = { done: 1, total: 4, unit: 'bytes' } as const;
    expect(left(statusOf('report', 'running', { progress }), times(), 60)).toBe(180);
  });

  it('does not extrapolate from the first moments', () => {
    const progress = { done: 1, total: 1000, unit: 'bytes' } as const;
    expect(left(statusOf('report', 'running', { progress }), times(), 2)).toBe(8);
    expect(left(statusOf('report', 'running', { progress }), times(), 40)).toBe(10);
  });

  it('adds a share of the time already spent if a stage takes longer than expected', () => {
    expect(left(statusOf('report'), times(), 100)).toBe(25);
  });

  it('expects models at the speed of the images', () => {
    const status = (took: number, state: 'applied' | 'kept' = 'applied'): Status => {
      const before = statusOf('tls');
      const stages = before.stages.map((stage) =>
        stage.name === 'images' ? { ...stage, state, took: took * 1000 } : stage,
      );
      return { ...before, stages };
    };
    const expected = times({ tls: 0, images: 20, models: 100, smoke: 0, report: 0 });
    expect(left(status(20), expected, 0)).toBe(100);
    expect(left(status(60), expected, 0)).toBe(300);
    // Limits: a short stage is no measurement.
    expect(left(status(0.1), expected, 0)).toBe(25);
    expect(left(status(9999), expected, 0)).toBe(1000);
    expect(left(status(0.1, 'kept'), expected, 0)).toBe(100);
  });

  it('estimates zero remaining time at the end', () => {
    expect(left(statusOf(undefined), times(), 500)).toBe(0);
  });

  it('estimates a finite remaining time without a start time and without images', () => {
    const status = statusOf('report');
    const stages = status.stages.map(({ since: _, ...stage }) => stage);
    expect(left({ ...status, stages }, times({ images: 0 }), 500)).toBe(10);
  });
});

describe('the expected times', () => {
  it('depend on the amounts, and on whether the bundle contains them', () => {
    const amounts = { images: 1.6e9, models: 4.8e9 };
    expect(expectedTimes({ kind: 'thin', ...amounts })).toMatchObject({
      images: 200_000,
      models: 600_000,
    });
    expect(expectedTimes({ kind: 'full', ...amounts })).toMatchObject({
      images: 40_000,
      models: 16_000,
    });
  });

  it('exist for every stage', () => {
    const expected = expectedTimes({ kind: 'full', images: 0, models: 0 });
    expect(Object.keys(expected)).toEqual([...stageNames]);
    expect(expected.users).toBe(1000);
  });
});
