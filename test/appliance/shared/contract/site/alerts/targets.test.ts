import { describe, expect, it } from 'vitest';
import { alertSecrets } from '#contract/site/alerts/secret-names.ts';
import { alertName, alerts } from '#contract/site/alerts/targets.ts';

const smtp = {
  kind: 'smtp',
  host: 'smtp.example.com',
  from: 'a@example.com',
  to: ['b@example.com'],
};
const telegram = { kind: 'telegram', chat: '-1001' };

describe('the alert targets of a site', () => {
  it('parses short forms of the alert targets of a site', () => {
    const parsed = alerts.parse([{ kind: 'ntfy' }, telegram, smtp]);
    expect(parsed).toEqual([
      { kind: 'ntfy', direct: false },
      { ...telegram, direct: false, api: 'https://api.telegram.org' },
      { ...smtp, direct: false, security: 'tls' },
    ]);
    expect(parsed.map(alertName)).toEqual(['ntfy', 'telegram', 'smtp']);
  });

  it.each([
    [
      'a URL, which is a secret',
      [{ kind: 'slack', url: 'https://hooks.slack.com/services/T/B/x' }],
    ],
    ['a password', [{ ...smtp, password: 'x' }]],
    ['an unknown kind', [{ kind: 'pager' }]],
    ['two targets of one name', [{ kind: 'slack' }, { kind: 'slack' }]],
    ['nine targets', Array.from({ length: 9 }, (_, n) => ({ kind: 'ntfy', name: `n${n}` }))],
    ['a name with a slash', [{ kind: 'slack', name: '../x' }]],
    ['an API server with a login', [{ ...telegram, api: 'https://me:secret@example.com' }]],
    ['mail without TLS', [{ ...smtp, security: 'none' }]],
    ['a mail server with a port in its name', [{ ...smtp, host: 'smtp.example.com:25' }]],
    ['a recipient with a line break', [{ ...smtp, to: ['a@example.com\nBcc: b@example.com'] }]],
    ['a chat with a query', [{ ...telegram, chat: '1&text=x' }]],
  ])('reject %s', (_what, targets) => {
    expect(alerts.safeParse(targets).success).toBe(false);
  });

  it('gives the secrets of the alert targets distinct names', () => {
    const parsed = alerts.parse([
      { kind: 'dingtalk' },
      { kind: 'wecom', name: 'dingtalk-url' },
      telegram,
      { ...smtp, user: 'alerts' },
    ]);
    expect(parsed.flatMap(alertSecrets).map(({ name }) => name)).toEqual([
      'alert-dingtalk-url',
      'alert-dingtalk-sign',
      'alert-dingtalk-url-url',
      'alert-telegram-token',
      'alert-smtp-password',
    ]);
  });
});
