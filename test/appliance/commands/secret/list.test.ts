import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import { describeSecrets, showSecrets } from '../../../../appliance/commands/secret/list.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folder = 'etc/landfall/secrets';
const site = {
  providers: { openai: { base_url: 'https://api.openai.com/v1' } },
  alerts: [{ kind: 'slack', name: 'team' }],
  backup: { to: [{ kind: 's3', url: 'https://s3.example.com/bucket/landfall' }] },
  socks: { listen: '10.8.0.1', allow: ['10.8.0.0/24'], username: 'me' },
};

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  setLanguage('en');
});

function server() {
  const names = ['RELAY_KEY_OWNER', 'RELAY_KEY_UI', 'CHAT_ACCESS_CODE', 'SOCKS_PASSWORD'];
  const files = names.map((name) => [`${folder}/${name}`, 'the-secret-value\n']);
  const host = TemporaryHost.with({
    ...Object.fromEntries(files),
    [`${folder}/OPENAI_API_KEY`]: '',
  });
  const time = new Date(Date.now() - 3 * 86_400_000);
  utimesSync(host.path(folder, 'RELAY_KEY_OWNER'), time, time);
  return { host, time, context: contextFor(host, { site }) };
}

describe('landfall secret list', () => {
  it('shows state, origin, age and users of each secret, and no value', async () => {
    await showSecrets(server().context);
    const [text = ''] = printed;
    expect(text).toMatch(/^NAME +STATE +ORIGIN +AGE +USED BY\n/);
    expect(text).toMatch(/^RELAY_KEY_OWNER +set +generated +3 days +the relay$/m);
    expect(text).toMatch(/^RELAY_KEY_UI +set +generated +0 minutes +Open WebUI, the relay$/m);
    expect(text).toMatch(/^OPENAI_API_KEY +missing +set by hand +- +the relay$/m);
    expect(text).toMatch(/^SOCKS_PASSWORD +set +generated +0 minutes +SOCKS5 server$/m);
    expect(text).toMatch(/^CHAT_ACCESS_CODE +set +generated +0 minutes +not in use$/m);
    expect(text).toMatch(/^alert-team-url +missing +set by hand +- +alerts$/m);
    expect(text).toMatch(/^backup-s3-id +missing +set by hand +- +backups$/m);
    expect(text).toMatch(/^console-password +missing +generated +- +console of the server$/m);
    expect(text).not.toMatch(/LOBE|the-secret-value/);
  });

  it('prints objects with --json', async () => {
    const { context, time } = server();
    await showSecrets(context, true);
    const list = JSON.parse(printed.join('\n'));
    expect(list).toContainEqual({
      ...{ name: 'RELAY_KEY_OWNER', set: true, generated: true },
      ...{ changed: time.toISOString(), used_by: ['relay'] },
    });
    expect(list).toContainEqual({
      ...{ name: 'OPENAI_API_KEY', set: false, generated: false },
      ...{ changed: null, used_by: ['relay'] },
    });
  });

  it('speaks Chinese', () => {
    setLanguage('zh');
    const changed = new Date(0);
    const secret = {
      name: 'RELAY_KEY_OWNER',
      isGenerated: true,
      usedBy: ['relay', 'alerts'],
      changed,
    };
    expect(describeSecrets([secret], 5 * 3_600_000)).toMatch(
      /^名称 .*\nRELAY_KEY_OWNER +已设置 +自动生成 +5 小时 +中继.*告警$/,
    );
  });

  it.each([
    [-5, '0 minutes'],
    [60_000, '1 minute'],
    [3_600_000, '1 hour'],
    [86_400_000, '1 day'],
  ])('formats the age %d ms as %s', (ms, text) => {
    const secret = { name: 'A', isGenerated: true, usedBy: ['alerts'], changed: new Date(0) };
    expect(describeSecrets([secret], ms)).toMatch(new RegExp(`generated +${text} +alerts$`));
  });
});
