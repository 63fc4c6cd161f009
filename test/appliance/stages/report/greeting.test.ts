import { describe, expect, it } from 'vitest';
import { consoleEnding, renderGreeting } from '../../../../appliance/stages/report/greeting.ts';
import { warningOf } from '../../server/stage/warning-of.ts';
import { certificateOf, goodReport } from './fixture.ts';

const missing = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `model-${index}:8b`,
    size: null,
    present: false,
  }));

describe('renderGreeting', () => {
  it('shows URLs, commands and open steps', () => {
    expect(renderGreeting({ ...goodReport, models: missing(1) })).toBe(`
  landfall 1.2.0 is installed here.
  https://chat.example.com/  (chat UI)
  Status:       landfall status
  Chat sign-in: me@example.com
  Passwords:    sudo landfall credentials
  Report:       landfall report

  Next steps:
    create the DNS records of the report, unless they exist
    download a model: sudo landfall models pull model-0:8b
    browsers warn about the certificate: compare its SHA-256 with the report
    read 1 warning: landfall report

`);
  });

  it('asks for the missing key of a model provider, the first node, and the setup of backups', () => {
    const steps = renderGreeting({ ...goodReport, lacksModel: true }).split(/Next steps:\n/)[1];
    expect(steps?.trim()).toMatch(/^the chat has no model: add a provider/);
    expect(renderGreeting({ ...goodReport, needsBackup: true })).toContain(
      'set up the backups: sudo landfall backup init',
    );
    expect(renderGreeting({ ...goodReport, needsNode: true })).toContain(
      'make a token for a server with Ollama: sudo landfall node token gpu1',
    );
    expect(renderGreeting({ ...goodReport, missingKeys: ['QWEN_API_KEY'] })).toContain(
      'set the key of a model provider: sudo landfall secret set QWEN_API_KEY',
    );
  });

  it('renders the greeting in the language of the site', () => {
    expect(renderGreeting({ ...goodReport, language: 'zh', models: missing(1) })).toBe(`
  这台服务器已安装 landfall 1.2.0。
  https://chat.example.com/  (chat UI)
  状态：     landfall status
  聊天账号： me@example.com
  密码：     sudo landfall credentials
  报告：     landfall report

  后续步骤：
    添加报告中的 DNS 记录（如果还没有）
    下载模型： sudo landfall models pull model-0:8b
    浏览器会警告证书：请把它的 SHA-256 与报告比对
    查看 1 条警告：landfall report

`);
  });

  it('omits the steps if there are none', () => {
    const certificate = { ...certificateOf(goodReport), own: false, acme: true, trusted: true };
    const text = renderGreeting({ ...goodReport, certificate, warnings: [] });
    expect(text).not.toContain('Next');
    expect(text).toMatch(/Report: +landfall report\n\n$/);
  });

  it('fits on a console, however long the lists are', () => {
    const urls = Array.from({ length: 9 }, (_, index) => ({ part: 'p', url: `https://${index}/` }));
    const warnings = [warningOf('one'), warningOf('two')];
    const text = renderGreeting({ ...goodReport, urls, warnings, models: missing(30) });
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(20);
    for (const line of lines) expect(line.length).toBeLessThan(80);
    expect(text).toContain('and 29 more: landfall report');
  });
});

describe('consoleEnding', () => {
  it('shows the address, both logins and the command for the password', () => {
    expect(consoleEnding(goodReport)).toEqual([
      '',
      'landfall 1.2.0 is ready.',
      'Open:        https://chat.example.com/  (chat UI)',
      'Sign in as:  me@example.com',
      'Password:    sudo landfall credentials  (after the login)',
      'Log in:      ssh ops@203.0.113.5',
      '',
    ]);
  });

  it('shows a tunnel on a server without a public page', () => {
    expect(consoleEnding({ ...goodReport, urls: [] })).toContain(
      'Open:        http://127.0.0.1:8888/, with ssh -N -L 127.0.0.1:8888:127.0.0.1:8888 ops@203.0.113.5',
    );
  });
});
