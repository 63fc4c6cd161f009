import { describe, expect, it } from 'vitest';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readConfig } from '../../../../../appliance/relay/config.ts';
import { renderRelay } from '../../../../../appliance/stack/components/relay/configuration.ts';
import { renderStack } from '../../../../../appliance/stack/render-stack.ts';
import { CertificateAuthority } from '../../../../faulty-server/certificates.ts';
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
  ])('renders the relay files for %o', (site) => {
    expect(renderRelay(stackInput(site)).map(({ path }) => path)).toContain('relay/relay.json');
  });
});
