import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '#contract/text/error.ts';
import { setLanguage } from '#contract/text/language.ts';
import { parseSite } from '#explain/parse-site.ts';
import { parseYaml } from '#yaml/parse.ts';

beforeEach(() => setLanguage('zh'));
afterEach(() => setLanguage('en'));

/** Returns the error of a site as users see it. */
function errorOf(yaml: string): string {
  try {
    parseSite(parseYaml(Buffer.from(yaml), 'site.yaml'));
  } catch (error) {
    if (error instanceof LandfallError) return formatError(error);
    throw error;
  }
  throw new Error('the site is valid');
}

const start = `release: push
admin:
  user: ops
  ssh_keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILp8bTBkTmZ2cVJXc0VqY2hQZ0dJd0Rrc1p5Um9XbGtO me@laptop"]
`;

describe('the problems of a site in Chinese', () => {
  it.each([
    ['a value that is not in the list', 'tls: { mode: acm }', 'tls.mode：只能是 '],
    ['an unknown field', 'tsl: { mode: off }', 'tsl：没有这个字段（您是想写 tls 吗？）'],
    ['another type', 'ports: { ui: [3000] }', 'ports.ui：必须是数字，但现在是列表'],
    ['a number that is too large', 'ports: { ui: 99999 }', 'ports.ui：太大：最多 65535'],
    ['a rule of the schema', 'hosts: { ui: Chat.Example.com }', 'hosts.ui：必须是小写的完整域名'],
    [
      'the value and what to write',
      'hosts: { ui: Chat.Example.com }',
      '；请写成 chat.example.com。',
    ],
    ['a rule across fields', 'tls: { mode: acme }', 'tls.mode acme 需要域名，但 hosts 中没有'],
    ['a missing value', 'providers: { openai: {} }', 'providers.openai.base_url：缺少'],
    ['a placeholder', 'hosts: { ui: <DOMAIN> }', 'hosts.ui：含有占位符 <DOMAIN>'],
    ['a mistake of the syntax', 'tls: a: b', '这一行有第二个字段名'],
  ])('names %s in Chinese', (_case, line, words) => {
    expect(errorOf(`${start}${line}\n`)).toContain(words);
  });

  it('names a secret in Chinese, without its value', () => {
    const text = errorOf(
      `${start}providers: { openai: { base_url: "https://a.example/v1?key=sk-abcdefgh12345678" } }\n`,
    );
    expect(text).toContain('providers.openai.base_url：像是模型服务商的密钥');
    expect(text).not.toContain('sk-abcdefgh');
  });

  it('ends the problems of a site with one hint, in Chinese', () => {
    const text = errorOf(`${start}tls: { mode: acm }\n`);
    expect(text).toContain(
      '\n建议: 按上面的说明逐条修改。每个字段的说明见 Landfall 文档 site.md。',
    );
    expect(text).not.toContain('提示:');
  });

  it('names a mistake of the editor in Chinese, with the corrected line', () => {
    expect(errorOf(`${start}timezone： Asia/Shanghai\n`)).toContain(
      '字段名之后是全角冒号（：）（请改成这一行：）\ntimezone: Asia/Shanghai',
    );
  });
});
