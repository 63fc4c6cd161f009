import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeLimits } from '#contract/sizes/limits.ts';
import { describeModelChoice, localModels } from '#contract/sizes/local-models.ts';
import { isChinese, setLanguage } from '#contract/text/language.ts';
import { confirmChanges } from '../../../appliance/commands/confirm.ts';
import { describePlan } from '../../../appliance/commands/plan.ts';
import { missing } from '../../../appliance/server/host/service.ts';
import {
  describeFirewall,
  listFirewall,
  ufwDifferences,
} from '../../../appliance/stages/firewall/differences.ts';
import { parseUfwStatus } from '../../../appliance/stages/firewall/ufw.ts';
import { describeModels } from '../../../appliance/stages/models/list-models.ts';
import { routeTimer } from '../../../appliance/stages/route/timer.ts';
import {
  describeDocumentLimits,
  documentLimits,
} from '../../../appliance/stages/stack/document-limits.ts';
import { describeTls } from '../../../appliance/stages/tls/status.ts';
import { rejectionOf } from '../../setup/landfall-error.ts';
import { contextFor } from '../context.ts';
import { factsOf } from '../stages/firewall/facts-of.ts';
import { TemporaryHost } from '../temporary-host.ts';

beforeEach(() => setLanguage('zh'));
afterEach(() => setLanguage('en'));

/** What stays as it is: commands, paths, names in capitals, and words of other programs. */
const names = /(?:sudo )?landfall [a-z -]*[a-z]|\/[\w/.-]+|\b[A-Z][\w-]*\b|\b[a-z]+:\d?\w*|hidden/g;

/** Two words in a row are a sentence in English. */
function expectChinese(text: string): void {
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    expect(isChinese(line) || !/[A-Za-z]{3}/.test(line), line).toBe(true);
    expect(line.replaceAll(names, '')).not.toMatch(/\b[a-z]{3,} [a-z]{2,}\b/);
  }
}

describe('landfall plan in Chinese', () => {
  it('describes the stages, what they would do, and what is not known yet', async () => {
    const host = TemporaryHost.with({}, { 'systemctl is-active': 3 });
    const todo = [
      ...(await missing(host, routeTimer)),
      ...(await missing(host, { files: [{ path: 'etc/example', text: 'x' }] })),
    ];
    const text = describePlan([
      { name: 'route', title: 'route: proxies', todo, diff: [] },
      { name: 'tls', title: 'tls: certificate', todo: [], diff: [] },
      {
        name: 'stack',
        title: 'stack: all',
        todo: [],
        diff: [],
        obstacle: '缺少机密',
        hint: '再试。',
      },
    ]);
    expect(text).toBe(` 1  route: 确认出网线路
      - 每 15 分钟检查一次线路
      - 写入 /etc/example
 2  tls: 获取证书
      无需更改
 3  stack: 启动服务
      ! 还无法确定：缺少机密
        提示: 再试。`);
  });

  it('describes the models and the limits of the server', () => {
    const { site, server, release } = contextFor(TemporaryHost.with({}));
    const models = localModels(release, site, server);
    expectChinese(describeModelChoice(models, server));
    expectChinese(describeDocumentLimits(documentLimits(undefined, server)));
    expect(describeLimits(site, server)).toMatch(
      /^每个容器的资源上限（不预留）：\n.* 个 CPU .* 个进程$/m,
    );
  });
});

describe('landfall firewall list in Chinese', () => {
  it('lists open ports, and what differs with its remedy', () => {
    const ufw = `Status: active
Default: allow (incoming), allow (outgoing), deny (routed)

22/tcp                     ALLOW IN    Anywhere
8443/tcp                   ALLOW IN    Anywhere
`;
    const facts = factsOf(['80/tcp']);
    const text = describeFirewall(listFirewall(facts, ufwDifferences(parseUfwStatus(ufw), facts)));
    expect(text.split('\n')).toEqual([
      '从外部可访问（IPv4 和 IPv6）：',
      '  22/tcp  SSH，限制新连接的频率',
      '  80/tcp',
      '! UFW 默认没有拒绝传入的连接（运行：sudo landfall firewall apply）',
      '! 80/tcp 在 Landfall 的规则表中开放，但在 UFW 中关闭（运行：sudo landfall firewall apply）',
      '! 8443/tcp 在 UFW 中开放，但在 Landfall 的规则表中关闭（要开放，请运行：sudo landfall firewall allow 8443/tcp。要关闭，请运行：sudo ufw delete allow 8443/tcp）',
    ]);
  });
});

describe('landfall models list in Chinese', () => {
  it('says where each model comes from', () => {
    const model = { name: 'qwen3:8b', size: 5.2e9, digest: null, chosen: true } as const;
    const lines = describeModels([
      { ...model, from: 'release', present: false },
      { ...model, name: 'mine:1b', from: 'hand', present: true },
    ]).split('\n');
    expect(lines[0]).toMatch(/^名称 +大小 +摘要 +来源$/);
    expect(lines[1]).toContain('还没有安装: sudo landfall models pull qwen3:8b');
    expect(lines[2]).toContain('手动添加');
    expectChinese(describeModels([]));
  });
});

describe('landfall tls status in Chinese', () => {
  it('describes the certificate, and why one is missing without a hint in English', () => {
    const time = '2026-12-01T08:00:00.000Z';
    const text = describeTls({
      mode: 'acme',
      authority: 'https://acme.example/directory',
      certificate: {
        ...{ names: 'DNS:chat.example.com', issuer: 'CN=own', sha256: 'AB:CD', trusted: false },
        ...{ until: time, renewal: time },
      },
      internal: null,
      missing: {
        ...{ failures: 1, at: time, notBefore: time, problems: [] },
        ...{ code: 'TLS_NAME', message: 'no record', hint: 'Create the records above.' },
      },
    });
    expect(text).toContain('域名还没有解析到这台服务器：no record');
    expect(text).toContain('按提示添加 DNS 记录');
    expect(text).toMatch(/浏览器 +不信任/);
    expect(text).toMatch(/有效期至 +2026-12-01 08:00 UTC，从 2026-12-01 08:00 UTC 起续期/);
    expect(text).not.toContain('Create the records');
  });
});

describe('landfall confirm in Chinese', () => {
  it('says why the login is no proof, and what to do', async () => {
    const host = TemporaryHost.with({
      'var/lib/landfall/undo/firewall.sh': 'true\n',
      'run/landfall/undo/firewall': '1\n',
    });
    const { message, hint, problems } = await rejectionOf(confirmChanges(host, 1));
    expect(message).toBe('这不是 SSH 登录，或者在 screen、tmux 中运行，不能证明您还能登录');
    expect(hint).toMatch(/^不要关闭这个登录/);
    expect(problems).toEqual([{ message: '等待确认：firewall' }]);
  });
});
