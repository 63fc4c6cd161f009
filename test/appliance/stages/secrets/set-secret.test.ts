import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { readSecrets } from '../../../../appliance/stages/secrets/secret-values.ts';
import { knownSecret, setSecret } from '../../../../appliance/stages/secrets/set-secret.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const site = siteSchema.parse({
  release: ['https://example.com/'],
  admin: { user: 'ops', ssh_keys: ['ssh-ed25519 AAAA'] },
  providers: { openai: { base_url: 'https://api.openai.com/v1' } },
});

describe('setSecret', () => {
  it('replaces the stored value', async () => {
    const host = TemporaryHost.with({ 'etc/landfall/secrets/OPENAI_API_KEY': 'sk-old\n' });
    await setSecret(host, 'OPENAI_API_KEY', 'sk-new');
    expect(await readSecrets(host, site)).toEqual({ OPENAI_API_KEY: 'sk-new' });
  });

  it.each(['', 'two words', "it's", 'back\\slash', 'two\nlines', 'é', 'x'.repeat(4097)])(
    'rejects %j without printing the value',
    async (value) => {
      const host = TemporaryHost.with({});
      const setting = setSecret(host, 'OPENAI_API_KEY', value);
      await expect(setting).rejects.toThrow(/^the value for OPENAI_API_KEY is invalid$/);
      expect(await readSecrets(host, site)).toEqual({});
    },
  );

  it('accepts the secrets of alert targets', () => {
    const alerts = [
      { kind: 'feishu' as const, name: 'team' },
      {
        kind: 'smtp' as const,
        host: 'smtp.example.com',
        from: 'a@example.com',
        to: ['b@example.com'],
      },
    ];
    const withAlerts = siteSchema.parse({ ...site, alerts });
    expect(knownSecret(withAlerts, 'alert-team-url')).toBe('alert-team-url');
    expect(knownSecret(withAlerts, 'alert-team-sign')).toBe('alert-team-sign');
    // A mail server without a user needs no password.
    for (const name of ['alert-smtp-password', 'alert-feishu-url']) {
      expect(() => knownSecret(withAlerts, name)).toThrow('no secret named');
    }
  });

  it('accepts only the credentials of the DNS provider of the site', () => {
    const tls = { mode: 'acme' as const, challenge: 'dns' as const, dns: { provider: 'alidns' } };
    const byDns = siteSchema.parse({ ...site, tls });
    expect(knownSecret(byDns, 'ALICLOUD_SECRET_KEY')).toBe('ALICLOUD_SECRET_KEY');
    expect(() => knownSecret(byDns, 'CLOUDFLARE_DNS_API_TOKEN')).toThrow('no secret named');
    expect(() => knownSecret(site, 'ALICLOUD_SECRET_KEY')).toThrow('no secret named');
  });

  it('accepts only names that the site uses', () => {
    expect(knownSecret(site, 'OPENAI_API_KEY')).toBe('OPENAI_API_KEY');
    expect(() => knownSecret(site, 'DEEPSEEK_API_KEY')).toThrow('no secret named');
    expect(() => knownSecret(site, '../../passwd')).toThrow('no secret named');
    expect(() => knownSecret(site, undefined)).toThrow('no secret named');
  });
});
