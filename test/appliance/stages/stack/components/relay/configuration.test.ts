import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readConfig } from '../../../../../../appliance/relay/config.ts';
import { renderRelay } from '../../../../../../appliance/stages/stack/components/relay/configuration.ts';
import { renderStack } from '../../../../../../appliance/stages/stack/render-stack.ts';
import { CertificateAuthority } from '../../../../../faulty-server/certificates.ts';
import { everything, stackInput } from '../../stack-input.ts';

describe("the relay's files", () => {
  it('renders files that the relay accepts', () => {
    const [settings] = renderRelay(stackInput(everything));
    const config = readConfig(settings?.content ?? '', 'relay.json');
    expect(config.providers).toMatchObject({
      openai: { base_url: 'https://api.openai.com/v1', key_file: 'keys/openai' },
      deepseek: { base_url: 'https://api.deepseek.com/v1', key_file: 'keys/deepseek' },
    });
    expect(config.keys.map(({ name }) => name)).toEqual(['owner', 'ui', 'chat', 'lobe']);
    expect(config.keys[0]?.sha256).toBe(sha256Hex('secret-of-relay_key_owner'));
  });

  it('contain the CA of the site', () => {
    const ca = new CertificateAuthority().cert;
    const [settings, file] = renderRelay(stackInput({ ...everything, ca }));
    expect(readConfig(settings?.content ?? '', 'relay.json').ca_file).toBe('ca.pem');
    expect(file).toMatchObject({ path: 'relay/ca.pem', content: ca, mode: 0o400 });
  });

  it('contain the clients of the site with hashed keys and separate limits', () => {
    const [settings] = renderRelay(stackInput({ ...everything, relay: { keys: ['phone'] } }));
    const { keys } = readConfig(settings?.content ?? '', 'relay.json');
    expect(keys.map(({ name }) => name)).toEqual(['owner', 'ui', 'chat', 'lobe', 'phone']);
    expect(keys[4]).toMatchObject({
      sha256: sha256Hex('secret-of-relay_key_phone'),
      limits: { requests_per_minute: 240, concurrency: 16 },
    });
    expect(settings?.content).not.toContain('secret-of');
  });

  it('contain the origins of the site', () => {
    const origins = ['app://obsidian.md'];
    const [settings] = renderRelay(stackInput({ ...everything, relay: { keys: [], origins } }));
    expect(readConfig(settings?.content ?? '', 'relay.json').origins).toEqual(origins);
  });

  it('contain the terms of clients, and a folder for budgets', () => {
    const keys = [
      'phone',
      { name: 'old', expires: '2027-03-31', requests_per_minute: 20 },
      {
        name: 'intern',
        providers: ['openai'],
        models: ['gpt-5-mini', 'text-embedding-*'],
        tokens_per_month: 3_000_000,
        requests_per_day: 500,
        concurrency: 4,
      },
    ];
    const ui = { tokens_per_day_per_user: 100_000 };
    const [settings] = renderRelay(stackInput({ ...everything, relay: { keys, ui } }));
    const config = readConfig(settings?.content ?? '', 'relay.json');
    expect(config.usage_folder).toBe('/var/lib/landfall/relay-usage');
    expect(config.gateway).toBe('gateway.landfall_inside');
    const known = Object.fromEntries(config.keys.map(({ name, sha256: _, ...key }) => [name, key]));
    const limits = { requests_per_minute: 240, concurrency: 16, body_bytes: 33_554_432 };
    expect(known).toMatchObject({
      owner: { limits },
      ui: { budget_per_person: { tokens_per_day: 100_000 }, chat_models: true, limits },
      phone: { limits },
      old: { expires: '2027-03-31', limits: { ...limits, requests_per_minute: 20 } },
      intern: {
        providers: ['openai'],
        models: ['gpt-5-mini', 'text-embedding-*'],
        budget: { tokens_per_month: 3_000_000, requests_per_day: 500 },
        limits: { ...limits, concurrency: 4 },
      },
    });
    expect(Object.keys(known.phone ?? {})).toEqual(['limits']);
  });

  it('contain no folder without a budget', () => {
    const keys = ['phone', { name: 'old', expires: '2027-03-31', models: ['tiny'] }];
    const [settings] = renderRelay(stackInput({ ...everything, relay: { keys } }));
    expect(settings?.content).not.toContain('usage');
    expect(settings?.content).not.toContain('budget');
  });

  it('writes each key of a provider to a separate file, readable for the relay only', () => {
    const files = renderRelay(stackInput(everything));
    expect(files.find(({ path }) => path === 'relay/keys/openai')).toEqual({
      path: 'relay/keys/openai',
      content: 'secret-of-openai_api_key\n',
      mode: 0o400,
      owner: 65532,
    });
  });

  it('contain the model hub of the site, with its token in a separate file', () => {
    const hub = { base_url: 'https://router.huggingface.co/hf-inference/' };
    const files = renderRelay(stackInput({ hub }));
    expect(readConfig(files[0]?.content ?? '', 'relay.json').hub).toEqual({
      base_url: 'https://router.huggingface.co/hf-inference',
      key_file: 'keys/hub',
    });
    expect(files[1]).toMatchObject({ path: 'relay/keys/hub', content: 'secret-of-hub_api_key\n' });
  });

  it('contain local models and the formats of providers', () => {
    const providers = {
      anthropic: { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' },
      gpu: { base_url: 'http://10.0.0.5:8000/v1', plain: 'i-understand' },
    };
    const [settings] = renderRelay(stackInput({ providers, relay: { local: true } }));
    const config = readConfig(settings?.content ?? '', 'relay.json');
    expect(config.local).toMatchObject({ base_url: 'http://engine.landfall_models:11434' });
    expect(config.providers).toMatchObject({
      anthropic: { api: 'anthropic', keyless: false },
      gpu: { api: 'openai', keyless: true, key_file: 'keys/gpu' },
    });
  });

  it('contain nothing of formats and local models for other sites', () => {
    const [settings] = renderRelay(stackInput(everything));
    expect(Object.keys(JSON.parse(settings?.content ?? ''))).toEqual([
      'providers',
      'keys',
      'route',
    ]);
    expect(settings?.content).not.toMatch(/api"|keyless|local/);
  });

  it('exempt private addresses of own machines from the proxy of the route', () => {
    const plain = 'i-understand';
    const providers = {
      one: { base_url: 'http://10.0.0.5:8000/v1', plain },
      two: { base_url: 'http://[fd00::5]:8000/v1', plain },
      public: { base_url: 'http://203.0.113.9/v1', plain },
      other: { base_url: 'http://10.0.0.6/v1' },
    };
    const route = { mode: 'http-proxy', url: 'http://10.0.0.2:7890', no_proxy: ['.corp.example'] };
    const [settings] = renderRelay(stackInput({ providers, route }));
    expect(readConfig(settings?.content ?? '', 'relay.json').route).toMatchObject({
      no_proxy: ['.corp.example', '10.0.0.5', 'fd00::5'],
    });
  });

  it('omit a key that is not set yet', () => {
    const input = stackInput(everything);
    const { OPENAI_API_KEY: _later, ...secrets } = input.secrets;
    const paths = renderRelay({ ...input, secrets }).map(({ path }) => path);
    expect(paths).toEqual(['relay/relay.json', 'relay/keys/deepseek']);
  });

  it('contain the route of the site', () => {
    const route = { mode: 'socks5', url: 'socks5h://10.0.0.2:7891' };
    const [settings] = renderRelay(stackInput({ ...everything, route }));
    expect(readConfig(settings?.content ?? '', 'relay.json').route).toMatchObject(route);
  });

  it('renders no relay files without need for a relay', () => {
    const paths = renderStack(stackInput({})).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('relay/'))).toEqual([]);
  });

  it.each([
    { hosts: { relay: 'api.example.com' } },
    { components: { chat: true } },
    { components: { lobe: true } },
    { relay: { local: true } },
  ])('renders the relay files for %o', (site) => {
    expect(renderRelay(stackInput(site)).map(({ path }) => path)).toContain('relay/relay.json');
  });
});
