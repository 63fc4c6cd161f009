import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, secretLooks } from '#explain/secret-signs.ts';

describe('a name', () => {
  it.each([
    'api_key',
    'apikey',
    'apiKey',
    'api-key',
    'API_KEY',
    'PROVIDER_API_KEY',
    'SECOND_PROVIDER_API_KEY',
    'TINYPROXY_PASSWORD',
    'WEBUI_SECRET_KEY',
    'password',
    'Passwd',

    'passphrase',
    'token',
    'accessToken',
    'hub.token',
    'secrets',
    'relayKeys',
    'credentials',
  ])('recognises the name of a secret: %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    'ssh_keys',
    'key',
    'accept_terms',
    'tokenizer',
    'secretary',
    'password_hint',
    'base_url',
    'PROVIDER_BASE_URL',
    'monkey',
    'tokens_per_second',
    'TINYPROXY_ALLOW',
  ])('without a secret is %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('a text', () => {
  it.each([
    ['sk-abcdefgh12345678', 'looks like a provider key'],
    ['sk-proj-abc_DEF-123456', 'looks like a provider key'],
    ['use "sk-ant-REDACTED" here', 'looks like a provider key'],
    ['hf_abcdefgh12345678', 'looks like an access token'],
    ['ghp_abcdefgh12345678', 'looks like an access token'],
    ['github_pat_11ABCDEFG', 'looks like an access token'],
    ['Bearer abcdefgh12345678', 'looks like an access token'],
    ['-----BEGIN PRIVATE KEY-----', 'is a private key'],
    ['-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII', 'is a private key'],
    ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmU', 'is a private key'],
    ['PuTTY-User-Key-File-3: ssh-ed25519', 'is a private key'],
    ['http://me:hunter2@10.0.0.2:7890', 'contains a URL with a password'],
    ['see socks5h://:hunter2@10.0.0.2', 'contains a URL with a password'],
    ['PROVIDER_API_KEY=abc', 'contains a value for PROVIDER_API_KEY'],
    ['export WEBUI_SECRET_KEY="abc"', 'contains a value for WEBUI_SECRET_KEY'],
    ['https://m.example/r/?lang=en&access_token=abc', 'contains a URL with a secret'],
  ])('with a secret: %s', (text, what) => {
    expect(secretLooks(text)?.en).toBe(what);
  });

  it.each([
    ['a hardware SSH key', 'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW4= me'],
    [
      'another type of hardware key',
      'sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTI= me',
    ],
    ['a host name that starts like a key', 'sk-chat-server-1.example.com'],
    ['a word that contains the prefix of a key', 'desk-organiser-2000'],
    ['a URL with a user and no password', 'http://me@10.0.0.2:7890'],
    ['a URL with a port', 'http://10.0.0.2:7890/a@b'],
    ['a variable without a value', 'PROVIDER_API_KEY='],
    ['a harmless variable', 'PROVIDER_BASE_URL=https://api.example.com/v1'],
    ['a harmless query', 'https://m.example/r/?version=1'],
    ['an e-mail address', 'me:you@example.com'],
  ])('without a secret: %s', (_what, text) => {
    expect(secretLooks(text)).toBeUndefined();
  });

  it('that is a URL with any password is detected', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (password) => {
        expect(secretLooks(`http://me:${encodeURIComponent(password)}x@host/`)).toBeDefined();
      }),
    );
  });
});

describe('a long text', () => {
  it.each(['a', 'a:', 'https://', 'a://:', 'ssk-', '-----BEGIN ', '?a&', '<a', 'bearer '])(
    'checks a long text of "%s" repeated in linear time',
    (part) => {
      // A quadratic pattern takes minutes here, so the test times out.
      expect(secretLooks(`x://${part.repeat(250_000 / part.length)}`)).toBeUndefined();
    },
  );
});
