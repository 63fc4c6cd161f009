import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderUi } from '../../../../../appliance/stack/components/ui/configuration.ts';
import { everything, stackInput } from '../../stack-input.ts';

function variablesOf(secrets: Record<string, string>) {
  const [file] = renderUi({ ...stackInput(everything), secrets });
  return parseEnv(file?.content ?? '');
}

const relay = { RELAY_KEY_UI: 'of-the-ui', RELAY_KEY_OWNER: 'of-the-owner' };

describe('the settings of the chat UI', () => {
  it('contain each provider with a key, at its path of the relay, with the key of the UI', () => {
    const keys = { OPENAI_API_KEY: 'sk-1', DEEPSEEK_API_KEY: 'sk-2' };
    expect(variablesOf({ ...relay, ...keys })).toMatchObject({
      ENABLE_OPENAI_API: 'True',
      OPENAI_API_BASE_URLS: 'http://relay:8080/openai/v1;http://relay:8080/deepseek/v1',
      OPENAI_API_KEYS: 'of-the-ui;of-the-ui',
    });
  });

  it('omit a provider without a key', () => {
    expect(variablesOf({ ...relay, DEEPSEEK_API_KEY: 'sk-2' })).toMatchObject({
      OPENAI_API_BASE_URLS: 'http://relay:8080/deepseek/v1',
      OPENAI_API_KEYS: 'of-the-ui',
    });
  });

  it('disable hosted models if no provider has a key', () => {
    const variables = variablesOf(relay);
    expect(variables.ENABLE_OPENAI_API).toBe('False');
    expect(variables).not.toHaveProperty('OPENAI_API_KEYS');
  });

  // Open WebUI adds 36 tools to each request of a browser, which do not fit into a small context.
  it('turn off the built-in tools, unless the site asks for them', () => {
    const settingsOf = (site: object) => {
      const [file] = renderUi(stackInput({ ...everything, ...site }));
      return JSON.parse(parseEnv(file?.content ?? '').DEFAULT_MODEL_PARAMS ?? '');
    };
    expect(settingsOf({})).toEqual({ function_calling: 'legacy' });
    expect(settingsOf({ ui: { function_calling: 'native' } })).toEqual({});
  });
});
